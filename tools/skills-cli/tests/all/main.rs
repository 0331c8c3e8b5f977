//! The built command, asked as people and programs ask it; in one program, since linking each costs seconds.

#[cfg(unix)]
mod acting;
mod action;
mod agreement;
#[cfg(unix)]
mod approvals;
mod book;
mod call;
mod cargo;
mod check;
#[cfg(unix)]
mod child;
#[cfg(unix)]
mod command;
#[cfg(unix)]
mod complete;
mod confined;
mod engine;
mod eval;
mod exec;
mod first_minute;
mod fix;
mod followed;
mod grammar;
mod graph;
mod hidden;
mod init;
mod install;
mod layers;
mod left;
mod list;
mod lsp;
mod mcp;
mod migrate;
mod new;
mod otlp;
mod outputs;
#[cfg(unix)]
mod pin;
#[cfg(unix)]
mod pin_servers;
mod plugin;
#[cfg(unix)]
mod provider;
mod reference;
mod schema;
mod search;
mod serve;
mod servers;
mod settings;
mod show;
mod sign;
mod sources;
mod terminal;
mod tools;
mod trust;
mod usage;
mod vendor;
mod vendors;
mod vscode;
mod weigh;
