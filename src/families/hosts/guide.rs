//! A short, marked section in the files that agents read: packd's own lines, renewed in place, taken out whole.

/// What stands around it. Whatever is between the two is packd's.
const BEGIN: &str = "<!-- packd: begin (written by `packd setup --agents-md`) -->";
const END: &str = "<!-- packd: end -->";
/// The start of the first mark, which stays when its words change.
const BEGINS: &str = "<!-- packd: begin";

/// What it says.
const TEXT: &str = include_str!("section.md");

/// Where the section stands: the bytes of it, marks included. The error says why nothing can be told.
fn place(text: &str) -> Result<Option<std::ops::Range<usize>>, String> {
    let begins = text.match_indices(BEGINS).count();
    let ends = text.match_indices(END).count();
    match (begins, ends) {
        (0, 0) => Ok(None),
        (1, 1) => {
            let (begin, end) = (text.find(BEGINS).unwrap_or(0), text.find(END).unwrap_or(0));
            if end < begin {
                return Err("packd's marks in it stand the wrong way round".to_string());
            }
            Ok(Some(begin..end + END.len()))
        }
        _ => Err("packd's marks in it are not one pair".to_string()),
    }
}

/// The section as it stands.
pub fn look(text: &str) -> Result<Option<&str>, String> {
    Ok(place(text)?.map(|range| &text[range]))
}

/// The section as this packd writes it.
pub fn section() -> String {
    format!("{BEGIN}\n{TEXT}{END}")
}

/// The text with this section: in its old place, else at the end.
pub fn put(text: &str, section: &str) -> Result<String, String> {
    if let Some(range) = place(text)? {
        return Ok([&text[..range.start], section, &text[range.end..]].concat());
    }
    let gap = match text {
        "" => "",
        _ if text.ends_with("\n\n") => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Ok(format!("{text}{gap}{section}\n"))
}

/// The text without the section, and without the empty line that came with it.
pub fn remove(text: &str) -> Result<String, String> {
    let Some(range) = place(text)? else { return Ok(text.to_string()) };
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let after = after.strip_prefix('\n').unwrap_or(after);
    let before = match after.is_empty() {
        true => before.strip_suffix("\n\n").map(|kept| format!("{kept}\n")).unwrap_or(before.to_string()),
        false => before.to_string(),
    };
    Ok(format!("{before}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_stays_in_its_place_and_goes_without_a_trace() {
        for text in ["", "# Mine\n", "# Mine\n\nText.\n", "# A\n\n\n"] {
            let with = put(text, &section()).unwrap();
            assert!(with.starts_with(text) && with.contains("`now`"));
            assert_eq!(put(&with, &section()).unwrap(), with);
            let gone = remove(&with).unwrap();
            assert_eq!(gone.trim_end(), text.trim_end(), "{text:?}");
        }
        let around = format!("a\n{}\nb\n", "<!-- packd: begin (old words) -->\nFORMER\n<!-- packd: end -->");
        let renewed = put(&around, &section()).unwrap();
        assert!(
            renewed.starts_with("a\n<!--") && renewed.ends_with("-->\nb\n") && !renewed.contains("FORMER")
        );
        assert_eq!(remove(&renewed).unwrap(), "a\nb\n");
    }

    #[test]
    fn marks_that_are_no_pair_are_left_alone() {
        for text in
            ["<!-- packd: end --> <!-- packd: begin -->", "<!-- packd: begin -->", "<!-- packd: end -->"]
        {
            assert!(put(text, &section()).is_err() && remove(text).is_err(), "{text}");
        }
    }
}
