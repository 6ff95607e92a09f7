//! Tables that fit the screen: columns as wide as they need, the fluid ones broken between words where they must.

use super::render::{Ink, Render};
use super::text::{visible, wrap};

/// Between two columns.
const GAP: usize = 2;
/// No column is made narrower than this.
const LEAST: usize = 8;

#[derive(Default)]
pub struct TextTable {
    head: Vec<&'static str>,
    /// Columns that may be broken over lines.
    fluid: Vec<usize>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

impl TextTable {
    /// With headings; an empty list of them shows none.
    pub fn new(head: &[&'static str]) -> TextTable {
        TextTable { head: head.to_vec(), ..TextTable::default() }
    }

    #[must_use]
    pub fn fluid(mut self, column: usize) -> TextTable {
        self.fluid.push(column);
        self
    }

    #[must_use]
    pub fn indent(mut self, columns: usize) -> TextTable {
        self.indent = columns;
        self
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn print(&self, r: Render) {
        let widths = self.widths(r.width);
        if !self.head.is_empty() && self.needed(&widths) > r.width {
            return self.blocks(r);
        }
        if !self.head.is_empty() && !self.rows.is_empty() {
            let head = self.head.iter().map(|h| r.ink(Ink::Bold, h)).collect::<Vec<_>>();
            self.lines(&head, &widths).iter().for_each(|line| r.line(line));
        }
        for row in &self.rows {
            self.lines(row, &widths).iter().for_each(|line| r.line(line));
        }
    }

    /// The widest cell of each column, the fluid ones narrowed until all fit.
    fn widths(&self, room: usize) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |c: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(c)).map(|cell| visible(cell));
            cells.chain(self.head.get(c).map(|h| h.len())).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(widest).collect();
        loop {
            let used = self.needed(&widths);
            let widest = self.fluid.iter().copied().filter(|c| *c < columns).max_by_key(|c| widths[*c]);
            match widest {
                Some(c) if used > room && widths[c] > LEAST => {
                    widths[c] -= (used - room).min(widths[c] - LEAST).clamp(1, 4);
                }
                _ => return widths,
            }
        }
    }

    fn needed(&self, widths: &[usize]) -> usize {
        self.indent + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
    }

    /// On a screen too narrow for columns: every row as lines of `name  value`.
    fn blocks(&self, r: Render) {
        let wide = self.head.iter().map(|h| h.len()).max().unwrap_or(0);
        for (i, row) in self.rows.iter().enumerate() {
            if i > 0 {
                r.line("");
            }
            for (head, cell) in self.head.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                for (n, line) in wrap(cell, r.width.saturating_sub(wide + GAP)).into_iter().enumerate() {
                    let head = if n == 0 { format!("{head:<wide$}  ") } else { " ".repeat(wide + GAP) };
                    r.line(format!("{}{line}", r.ink(Ink::Bold, head)));
                }
            }
        }
    }

    /// One row as lines of the screen.
    fn lines(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let cells: Vec<Vec<String>> = row
            .iter()
            .enumerate()
            .map(
                |(c, cell)| {
                    if visible(cell) > widths[c] { wrap(cell, widths[c]) } else { vec![cell.clone()] }
                },
            )
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |n: usize| {
            let mut line = " ".repeat(self.indent);
            for (c, cell) in cells.iter().enumerate() {
                let text = cell.get(n).map_or("", String::as_str);
                line.push_str(text);
                line.push_str(&" ".repeat(widths[c].saturating_sub(visible(text)) + GAP));
            }
            line.trim_end().to_string()
        };
        (0..height).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_every_width_and_loses_nothing() {
        let mut table = TextTable::new(&["ID", "TITLE", "STATUS"]).fluid(1);
        table.row(["pk_f2ireb33", "How the login flow works and why it asks twice", "finalized"]);
        for room in 40..=200 {
            assert!(table.needed(&table.widths(room)) <= room);
            let widths = table.widths(room);
            let lines = table.lines(&table.rows[0], &widths);
            assert!(lines.iter().all(|l| l.chars().count() <= room), "{room}: {lines:?}");
            let words: Vec<_> = lines.iter().flat_map(|l| l.split_whitespace()).collect();
            assert!(words.contains(&"twice") && words.contains(&"finalized"), "{room}: {lines:?}");
        }
    }
}
