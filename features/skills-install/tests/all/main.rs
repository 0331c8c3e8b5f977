//! Installations from outside; the states of a target are tested beside the code.

mod install_agent;
