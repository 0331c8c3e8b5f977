//! What generated code names: the registry and everything that runs a skill.
