//! The ways in: hooks, plugins, skills, and what is written into the files of hosts and of the project.

mod hook;
mod hosts;
mod model;
mod plugin;
mod setup;
mod skills;
