//! The searchable list of a registry's packages, built once per version of its `index.yaml`.
//!
//! A search walks from the best class of match to the weakest, each in order of names, and stops when the page
//! is full; three-letter postings keep it from looking at packages that cannot match. So a page costs about the
//! same among ten packages and among ten thousand.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use serde::Deserialize;

use super::yaml;
use crate::core::Result;

#[derive(Debug, Clone, Deserialize)]
pub struct Listed {
    pub name: String,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub latest: Option<String>,
    #[serde(default)]
    pub keywords: Option<Vec<String>>,
    #[serde(default)]
    pub artifact_types: Option<Vec<String>>,
    /// Entries that packd wrote have it (perhaps null); without it the rest of the entry is not to be trusted.
    #[serde(default, deserialize_with = "present")]
    pub author: Option<Option<String>>,
}

fn present<'de, D: serde::Deserializer<'de>>(d: D) -> std::result::Result<Option<Option<String>>, D::Error> {
    Option::deserialize(d).map(Some)
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    packages: Option<Vec<Listed>>,
}

/// What a search result says beyond its name and description.
#[derive(Debug, Clone, Default)]
pub struct Detail {
    pub version: String,
    pub author: Option<String>,
    pub types: Vec<String>,
}

#[derive(Default)]
struct Postings(HashMap<[u8; 3], Vec<u32>>);

impl Postings {
    fn add(&mut self, text: &str, id: u32) {
        for gram in grams(text) {
            let list = self.0.entry(gram).or_default();
            if list.last() != Some(&id) {
                list.push(id);
            }
        }
    }

    /// Packages that have every three letters of every needle, in order; `None` = too short to tell.
    fn candidates(&self, needles: &[&str]) -> Option<Vec<&[u32]>> {
        let wanted: HashSet<[u8; 3]> = needles.iter().flat_map(|n| grams(n)).collect();
        if wanted.is_empty() {
            return None;
        }
        let mut lists: Vec<&[u32]> =
            wanted.iter().map(|g| self.0.get(g).map_or(&[][..], Vec::as_slice)).collect();
        lists.sort_by_key(|l| l.len());
        Some(lists)
    }
}

fn grams(text: &str) -> impl Iterator<Item = [u8; 3]> + '_ {
    text.as_bytes().windows(3).map(|w| [w[0], w[1], w[2]])
}

#[derive(Default)]
pub struct RegistryIndex {
    listed: Vec<Listed>,
    /// Lower case, in the order of `listed`.
    names: Vec<String>,
    texts: Vec<String>,
    by_name: Postings,
    by_text: Postings,
    by_keyword: HashMap<String, Vec<u32>>,
    details: Mutex<HashMap<u32, Detail>>,
}

impl RegistryIndex {
    pub fn parse(bytes: &[u8]) -> std::result::Result<RegistryIndex, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())?;
        if text.trim().is_empty() {
            return Ok(RegistryIndex::default());
        }
        let file: File = crate::core::yaml::read(text).map_err(|_| match yaml::parse(text) {
            Err(why) => why,
            Ok(_) => "'packages' is not a list of packages".to_string(),
        })?;
        Ok(RegistryIndex::build(file.packages.unwrap_or_default()))
    }

    fn build(mut listed: Vec<Listed>) -> RegistryIndex {
        listed.sort_by_cached_key(|l| l.name.to_lowercase());
        let mut out = RegistryIndex::default();
        for (id, entry) in (0u32..).zip(&listed) {
            let name = entry.name.to_lowercase();
            let mut text = format!("{name}\n{}", entry.description.as_deref().unwrap_or("").to_lowercase());
            for keyword in entry.keywords.iter().flatten() {
                let keyword = keyword.to_lowercase();
                text.push('\n');
                text.push_str(&keyword);
                out.by_keyword.entry(keyword).or_default().push(id);
            }
            out.by_name.add(&name, id);
            out.by_text.add(&text, id);
            out.names.push(name);
            out.texts.push(text);
        }
        out.listed = listed;
        out
    }

    pub fn get(&self, id: u32) -> &Listed {
        &self.listed[id as usize]
    }

    /// The detail of a package, worked out at most once per version of the index.
    pub fn detail(&self, id: u32, find: impl FnOnce(&Listed) -> Result<Detail>) -> Result<Detail> {
        let known = || self.details.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(detail) = known().get(&id) {
            return Ok(detail.clone());
        }
        let detail = find(self.get(id))?;
        known().insert(id, detail.clone());
        Ok(detail)
    }

    /// The best `limit` matches that `accept` takes, as (score, package).
    pub fn search(
        &self,
        query: &str,
        limit: usize,
        accept: &mut dyn FnMut(u32) -> Result<bool>,
    ) -> Result<Vec<(u32, u32)>> {
        let query = query.trim().to_lowercase();
        let mut page = Page { limit, seen: HashSet::new(), found: Vec::new(), accept };
        let all = 0..u32::try_from(self.listed.len()).unwrap_or(u32::MAX);
        if query.is_empty() {
            page.take(100, all)?;
            return Ok(page.found);
        }
        let from = self.names.partition_point(|n| n.as_str() < query.as_str());
        let starts = || (from..self.names.len()).take_while(|i| self.names[*i].starts_with(&query));
        let ids = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        page.take(100, starts().take_while(|i| self.names[*i] == query).map(ids))?;
        page.take(80, starts().map(ids))?;
        let has = |texts: &[String], id: u32, needle: &str| texts[id as usize].contains(needle);
        page.take(60, self.among(&self.by_name, &[&query]).filter(|id| has(&self.names, *id, &query)))?;
        page.take(50, self.by_keyword.get(&query).into_iter().flatten().copied())?;
        page.take(30, self.among(&self.by_text, &[&query]).filter(|id| has(&self.texts, *id, &query)))?;
        let words: Vec<&str> = query.split_whitespace().collect();
        if words.len() > 1 {
            let every = |id: &u32| words.iter().all(|w| has(&self.texts, *id, w));
            page.take(20, self.among(&self.by_text, &words).filter(every))?;
        }
        Ok(page.found)
    }

    fn among<'a>(&'a self, postings: &'a Postings, needles: &[&str]) -> Box<dyn Iterator<Item = u32> + 'a> {
        match postings.candidates(needles) {
            None => Box::new(0..u32::try_from(self.listed.len()).unwrap_or(u32::MAX)),
            Some(lists) => {
                let (first, rest) = (lists[0], lists[1..].to_vec());
                let everywhere = move |id: &u32| rest.iter().all(|l| l.binary_search(id).is_ok());
                Box::new(first.iter().copied().filter(everywhere))
            }
        }
    }
}

struct Page<'a> {
    limit: usize,
    seen: HashSet<u32>,
    found: Vec<(u32, u32)>,
    accept: &'a mut dyn FnMut(u32) -> Result<bool>,
}

impl Page<'_> {
    fn take(&mut self, score: u32, ids: impl Iterator<Item = u32>) -> Result<()> {
        if self.found.len() >= self.limit {
            return Ok(());
        }
        for id in ids {
            if self.seen.insert(id) && (self.accept)(id)? {
                self.found.push((score, id));
                if self.found.len() >= self.limit {
                    break;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(index: &RegistryIndex, query: &str, limit: usize) -> Vec<(u32, String)> {
        let hits = index.search(query, limit, &mut |_| Ok(true)).unwrap();
        hits.into_iter().map(|(s, id)| (s, index.get(id).name.clone())).collect()
    }

    #[test]
    fn the_best_class_comes_first_and_names_order_each_class() {
        let index = RegistryIndex::parse(
            b"packages:\n- {name: zeta, description: lints Code}\n- {name: lint}\n- {name: linter}\n\
              - {name: '@a/x-lint'}\n- {name: b, keywords: [Lint, other]}\n- {name: c, keywords: [linting]}\n",
        )
        .unwrap();
        let all = found(&index, "LINT", 10);
        let wanted = [(100, "lint"), (80, "linter"), (60, "@a/x-lint"), (50, "b"), (30, "c"), (30, "zeta")];
        assert_eq!(all, wanted.map(|(s, n)| (s, n.to_string())));
        assert_eq!(found(&index, "lint", 2).len(), 2);
        assert_eq!(found(&index, "code lints", 9), [(20, "zeta".to_string())], "words in any order");
        assert_eq!(found(&index, "li", 9).len(), 6, "short queries work, too");
        assert_eq!(found(&index, "nothing", 9), []);
        assert_eq!(found(&index, "", 3).len(), 3);
    }

    #[test]
    fn a_page_of_a_large_registry_looks_at_few_packages() {
        let entry = |i| format!("- {{name: pkg-{i:05}, description: helps with task {i}}}\n");
        let text = format!("packages:\n{}", (0..10_000).map(entry).collect::<String>());
        let index = RegistryIndex::parse(text.as_bytes()).unwrap();
        for (query, hits) in [("pkg", 10), ("pkg-09999", 1), ("task 4711", 1), ("helps", 10), ("", 10)] {
            let mut looked = 0;
            let page = index.search(query, 10, &mut |_| {
                looked += 1;
                Ok(true)
            });
            assert_eq!((page.unwrap().len(), looked), (hits, hits), "{query}");
        }
    }
}
