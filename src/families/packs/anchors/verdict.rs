//! What became of each ref of a pack: one of five verdicts, with the place and the lines to show.

use std::path::{Path, PathBuf};

use super::super::excerpt::RefTrouble;
use super::super::model::{LineRange, PackRef};
use super::super::source::{RefPlaces, SourceFile, locate};
use super::anchor::{Anchor, NewAnchor};
use super::elsewhere::{self, Missing};
use super::known::{Known, PackAnchors};
use super::memory::AnchorMemory;
use super::renamed::Renames;
use super::search::{self, Hit};
use crate::core::diff::{Diff, DiffRoom};
use crate::core::world::Stat;
use crate::core::{SessionInfo, Timestamp, View, World};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefVerdict {
    Ok,
    /// The same code at another place.
    Moved,
    /// Other code where it was.
    Changed,
    Lost,
    /// The file cannot be compared: not text, too large, not readable.
    Uncheckable,
}

impl RefVerdict {
    pub const ALL: [RefVerdict; 5] =
        [RefVerdict::Ok, RefVerdict::Moved, RefVerdict::Changed, RefVerdict::Lost, RefVerdict::Uncheckable];

    pub fn as_str(self) -> &'static str {
        match self {
            RefVerdict::Ok => "ok",
            RefVerdict::Moved => "moved",
            RefVerdict::Changed => "changed",
            RefVerdict::Lost => "lost",
            RefVerdict::Uncheckable => "uncheckable",
        }
    }
}

/// One ref after it was looked at.
#[derive(Debug, Clone)]
pub struct Judged {
    pub verdict: RefVerdict,
    /// Where the lines are now; where they were if nobody knows.
    pub path: String,
    pub lines: LineRange,
    /// Why it is lost or uncheckable.
    pub trouble: Option<RefTrouble>,
    /// What changed, short.
    pub diff: Option<String>,
    /// An anchor of what is there now: for a ref without one, and for every other that is not in its old place.
    pub new: Option<NewAnchor>,
    /// What was there before this moment nobody compared.
    pub unverified_before: Option<Timestamp>,
    /// The numbered lines, where they were asked for.
    pub code: Option<String>,
}

impl Judged {
    fn weight(&self) -> usize {
        self.code.as_ref().map_or(0, String::len)
    }
}

/// A ref of a pack and the section it stands in.
pub type RefInSection<'a> = (&'a str, &'a PackRef);

/// Everything a look at refs needs.
pub struct Judge<'a> {
    pub world: &'a dyn World,
    pub session: &'a SessionInfo,
    pub view: &'a dyn View,
    pub root: &'a Path,
    pub anchors: &'a PackAnchors,
    pub memory: &'a AnchorMemory,
    pub now: Timestamp,
    /// Are the lines themselves wanted? Otherwise anchors are made of new places.
    pub code: bool,
}

/// What a look at refs found.
pub struct JudgedRefs {
    /// In the order of the refs. `None` = not looked at.
    pub judged: Vec<Option<Judged>>,
    /// The files that were read, with their stamps from before that.
    pub files: Vec<(PathBuf, Stat)>,
}

/// What a look has found so far.
struct Found {
    out: Vec<Option<Judged>>,
    files: Vec<(PathBuf, Stat)>,
    /// Refs whose lines are not in their file.
    missing: Vec<usize>,
    /// Bytes of the lines kept.
    gathered: usize,
}

/// One ref after a look into its own file.
enum One {
    Here(Judged),
    /// Not in this file, or what is here is only something in its place.
    MaybeElsewhere(Option<Judged>),
}

/// Enough for any page of a reply; what is beyond it is left for the next page.
const MAX_GATHERED: usize = 8 << 20;
/// A diff in a rendered pack is a hint, not a review.
const DIFF_LINES: usize = 24;

impl Judge<'_> {
    /// Looks at refs in their order, file by file, until the lines of those looked at fill `budget` bytes.
    pub fn look(&self, items: &[RefInSection], budget: usize) -> JudgedRefs {
        let refs: Vec<&PackRef> = items.iter().map(|(_, r)| *r).collect();
        let places = RefPlaces::find(self.world, self.root, &refs);
        let mut found =
            Found { out: vec![None; items.len()], files: Vec::new(), missing: Vec::new(), gathered: 0 };
        let mut used = 0;
        for i in 0..items.len() {
            let known = found.out[i].is_some() || found.missing.contains(&i);
            if used > budget || (found.gathered > MAX_GATHERED && !known) {
                break;
            }
            if !known {
                // Every ref into this file is looked at now, so that its text need not be kept.
                self.file(items, &places, i, &mut found);
            }
            used += found.out[i].as_ref().map_or(0, Judged::weight);
        }
        self.elsewhere(items, &mut found);
        JudgedRefs { judged: found.out, files: found.files }
    }

    /// Is any of these refs not as it was, as far as its own file tells? Stops at the first that is not.
    pub fn any_stale(&self, items: &[RefInSection]) -> bool {
        let refs: Vec<&PackRef> = items.iter().map(|(_, r)| *r).collect();
        let places = RefPlaces::find(self.world, self.root, &refs);
        let mut found =
            Found { out: vec![None; items.len()], files: Vec::new(), missing: Vec::new(), gathered: 0 };
        // What could not be looked at says nothing about the ref.
        let untried = |judged: &Judged| judged.trouble.as_ref().is_some_and(|t| t.untried().is_some());
        (0..items.len()).any(|i| {
            if found.out[i].is_none() && found.missing.is_empty() {
                self.file(items, &places, i, &mut found);
            }
            let stale = |judged: &Judged| judged.verdict != RefVerdict::Ok && !untried(judged);
            !found.missing.is_empty() || found.out[i].as_ref().is_some_and(stale)
        })
    }

    fn file(&self, items: &[RefInSection], places: &RefPlaces, first: usize, found: &mut Found) {
        let place = places.of_ref[first];
        let members: Vec<usize> = places.refs_of[place].iter().copied().filter(|j| *j >= first).collect();
        let at = places.at(place).ok();
        let stat = at.filter(|_| !self.code).and_then(|at| self.world.stat(at).ok().flatten());
        if let (Some(at), Some(stat)) = (at, &stat) {
            let known = |j: &usize| self.anchor(items[*j]).is_some_and(|a| self.memory.knows(at, stat, a));
            if members.iter().all(known) {
                for j in members {
                    found.out[j] = self.anchor(items[j]).map(|a| self.ok(items[j].1, a));
                }
                return;
            }
        }
        let source = places.read(self.world, place, &items[first].1.path);
        if let (Some(at), Ok(SourceFile { stat: Some(stat), .. })) = (at, &source) {
            found.files.push((at.to_path_buf(), stat.clone()));
        }
        for j in members {
            if j > first && found.gathered > MAX_GATHERED {
                break;
            }
            let judged = match self.one(items[j], &source) {
                One::Here(judged) => judged,
                One::MaybeElsewhere(instead) => {
                    found.out[j] = instead;
                    found.missing.push(j);
                    continue;
                }
            };
            if let (Some(at), Some(stat), RefVerdict::Ok) = (at, &stat, judged.verdict)
                && let Some(anchor) = self.anchor(items[j])
            {
                self.memory.note(at, stat, anchor, self.now);
            }
            found.gathered += judged.weight();
            found.out[j] = Some(judged);
        }
    }

    fn anchor(&self, (section, r): RefInSection) -> Option<&Known> {
        self.anchors.of_ref(section, r)
    }

    fn ok(&self, r: &PackRef, anchor: &Known) -> Judged {
        Judged {
            unverified_before: anchor.late.then_some(anchor.since),
            ..plain(RefVerdict::Ok, &r.path, r.lines)
        }
    }

    fn one(&self, item: RefInSection, source: &Result<SourceFile, RefTrouble>) -> One {
        let r = item.1;
        let anchor = self.anchor(item);
        let source = match (source, anchor) {
            (Ok(source), _) => source,
            (Err(RefTrouble::Stale(_)), Some(_)) => return One::MaybeElsewhere(None),
            (Err(trouble), _) => return One::Here(self.gone(r, trouble.clone())),
        };
        let Some(anchor) = anchor else {
            if let Err(trouble) = super::super::excerpt::range(r, source.total()) {
                return One::Here(self.gone(r, trouble));
            }
            let mut new = NewAnchor::of(source, self.root, &r.path, r.lines, self.now);
            new.anchor.late = true;
            let judged = plain(RefVerdict::Ok, &r.path, r.lines);
            let judged = Judged { new: Some(new), unverified_before: Some(self.now), ..judged };
            return One::Here(self.with_code(judged, source));
        };
        if search::holds(source, &anchor.digest, &anchor.squeezed, r.lines) {
            return One::Here(self.with_code(self.ok(r, anchor), source));
        }
        let anchor = match anchor.whole() {
            Ok(anchor) => anchor,
            Err(e) => return One::Here(self.gone(r, RefTrouble::Hard(e))),
        };
        let text = self.text_of(anchor);
        match search::find(source, &r.path, anchor, &text) {
            None => One::MaybeElsewhere(None),
            Some(hit @ Hit::Instead(_)) => One::MaybeElsewhere(Some(self.found(hit, &r.path, &text, source))),
            Some(hit) => One::Here(self.found(hit, &r.path, &text, source)),
        }
    }

    /// Where the lines, or what became of them, are now.
    fn found(&self, hit: Hit, path: &str, text: &str, source: &SourceFile) -> Judged {
        let judged = match hit {
            Hit::Same(lines) => plain(RefVerdict::Moved, path, lines),
            Hit::Changed(lines) | Hit::Instead(lines) => {
                let now: String = source.lines(lines).flat_map(|l| [l, "\n"]).collect();
                Judged { diff: short_diff(path, text, &now), ..plain(RefVerdict::Changed, path, lines) }
            }
        };
        self.anew(judged, source)
    }

    fn with_code(&self, mut judged: Judged, source: &SourceFile) -> Judged {
        judged.code = self.code.then(|| source.numbered(judged.lines));
        judged
    }

    /// With an anchor of the new place.
    fn anew(&self, mut judged: Judged, source: &SourceFile) -> Judged {
        judged.new =
            (!self.code).then(|| NewAnchor::of(source, self.root, &judged.path, judged.lines, self.now));
        self.with_code(judged, source)
    }

    fn gone(&self, r: &PackRef, trouble: RefTrouble) -> Judged {
        let verdict =
            if matches!(trouble, RefTrouble::Stale(_)) { RefVerdict::Lost } else { RefVerdict::Uncheckable };
        Judged { trouble: Some(trouble), ..plain(verdict, &r.path, r.lines) }
    }

    /// What the anchor kept; empty if it is not there any more, so that nothing is found by it.
    fn text_of(&self, anchor: &Anchor) -> String {
        let bytes = self.view.blob(&anchor.text).ok().flatten().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn elsewhere(&self, items: &[RefInSection], found: &mut Found) {
        if found.missing.is_empty() {
            return;
        }
        let (mut missing, mut sought) = (Vec::new(), Vec::new());
        let mut renames = Renames::below(self.world, self.session, self.root);
        for i in std::mem::take(&mut found.missing) {
            match self.anchor(items[i]).map(Known::whole) {
                Some(Ok(anchor)) => {
                    let text = self.text_of(anchor);
                    let instead = found.out[i].take();
                    found.out[i] = self.renamed(&mut renames, anchor, &text).or(instead);
                    // The same code in a third file is more than other code in the renamed one.
                    if found.out[i].as_ref().is_none_or(|judged| judged.verdict != RefVerdict::Moved) {
                        sought.push(Missing { anchor, text });
                        missing.push(i);
                    }
                }
                Some(Err(e)) => found.out[i] = Some(self.gone(items[i].1, RefTrouble::Hard(e))),
                None => {}
            }
        }
        if sought.is_empty() {
            return;
        }
        for (i, place) in missing.into_iter().zip(elsewhere::look(self.world, self.root, &sought)) {
            let r = items[i].1;
            let became = found.out[i].take();
            found.out[i] = Some(match place {
                Some(place) => self.anew(plain(RefVerdict::Moved, &place.path, place.lines), &place.source),
                None => became.unwrap_or_else(|| {
                    let LineRange { start, end } = r.lines;
                    let why = format!("lines {start}-{end} of file '{}' are gone", r.path);
                    self.gone(r, RefTrouble::Stale(why))
                }),
            });
        }
    }

    /// What stands for an anchor in the file that its own has become, as git tells it.
    fn renamed(&self, renames: &mut Renames, anchor: &Anchor, text: &str) -> Option<Judged> {
        let path = renames.of(&anchor.path, anchor.blob.as_deref())?;
        let at = locate(self.world, self.root, &path).ok()?;
        let source = SourceFile::read(self.world, &at, &path).ok()?;
        let hit = search::find(&source, &path, anchor, text)?;
        Some(self.found(hit, &path, text, &source))
    }
}

fn plain(verdict: RefVerdict, path: &str, lines: LineRange) -> Judged {
    Judged {
        verdict,
        path: path.to_string(),
        lines,
        trouble: None,
        diff: None,
        new: None,
        unverified_before: None,
        code: None,
    }
}

fn short_diff(path: &str, before: &str, after: &str) -> Option<String> {
    let Diff::Text(text) = DiffRoom::default().unified(path, Some(before.as_bytes()), Some(after.as_bytes()))
    else {
        return None;
    };
    // The names of the two sides are the ref's own path.
    let lines: Vec<&str> = text.lines().skip(2).collect();
    let mut shown = lines[..lines.len().min(DIFF_LINES)].join("\n");
    if lines.len() > DIFF_LINES {
        shown.push_str(&format!("\n… {} more lines", lines.len() - DIFF_LINES));
    }
    Some(shown)
}
