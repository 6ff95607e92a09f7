//! Tools of made-up families: a name and a function, without arguments of their own.

use packd::core::ctx::{Explanation, Gathered};
use packd::core::run::RunDone;
use packd::core::tool::{Act, AnySeen, Bound, Wait};
use packd::core::{AnyTool, Call, Ctx, Look, Needs, Outcome, Result, SessionInfo, Writes};

/// What a tool does with the outside world before it decides.
pub type Looks = Box<dyn Fn(&Look) + Send + Sync>;

pub struct Plain {
    pub name: &'static str,
    pub decide: fn(&Ctx) -> Result<Outcome>,
    pub look: Option<Looks>,
}

/// Tools that differ only in what they are called; the families that have them are made once a test.
pub fn tools(names: &[&'static str], decide: fn(&Ctx) -> Result<Outcome>) -> &'static [&'static dyn AnyTool] {
    leak(names.iter().map(|name| Plain { name, decide, look: None }).collect())
}

pub fn leak(tools: Vec<Plain>) -> &'static [&'static dyn AnyTool] {
    let each = |tool: Plain| Box::leak(Box::new(tool)) as &'static dyn AnyTool;
    Vec::leak(tools.into_iter().map(each).collect())
}

impl AnyTool for Plain {
    fn name(&self) -> &'static str {
        self.name
    }
    fn read(&self, _: &Call) -> Result<()> {
        Ok(())
    }
    fn needs(&self, _: &Call, _: &SessionInfo) -> Needs {
        if self.look.is_some() { Needs::World } else { Needs::Rows }
    }
    fn writes(&self, _: &Call) -> Writes {
        Writes::Rows
    }
    fn decides_in_turn(&self) -> bool {
        false
    }
    fn waits(&self, _: &Call) -> Option<Wait> {
        None
    }
    fn act(&self, _: &Call) -> Option<Act> {
        None
    }
    fn look(&self, look: &Look) -> Result<Gathered> {
        self.look.iter().for_each(|f| f(look));
        Ok(Box::new(()))
    }
    fn decide(&self, ctx: &Ctx, _: AnySeen) -> Result<Outcome> {
        (self.decide)(ctx)
    }
    fn finish(&self, ctx: &Ctx, _: &RunDone) -> Result<Outcome> {
        (self.decide)(ctx)
    }
    fn explain(&self, _: &Ctx, _: AnySeen) -> Explanation {
        Explanation { would: format!("{} would change stored state.", self.name), ..Explanation::default() }
    }
    fn concerns(&self, _: &Ctx) -> Vec<String> {
        Vec::new()
    }
    fn bind(&self, ctx: &Ctx, _: AnySeen) -> Result<Bound> {
        Ok(Bound { args: ctx.call.args.clone(), typed: None, state: String::new() })
    }
}
