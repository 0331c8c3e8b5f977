//! A program that was written for omega-skills: it fills the data directory, makes the system prompt, and starts the
//! servers that a message triggers. Only its imports changed, and a directory that cannot be read is an error.

use skills_load::compat::{
    McpServer, Project, Skill, build_skill_prompt, collect_all_mcp_servers, ensure_projects_dir,
    get_project_instructions, install_bundled_skills, load_projects, load_skills, match_skill_triggers,
    migrate_flat_skills,
};

use crate::planted::Planted;

struct Gateway {
    skills: Vec<Skill>,
    projects: Vec<Project>,
}

impl Gateway {
    fn system_prompt(&self, project: &str) -> String {
        let instructions = get_project_instructions(&self.projects, project).unwrap_or_default();
        format!("{instructions}{}", build_skill_prompt(&self.skills))
    }

    fn servers(&self, message: &str) -> Vec<McpServer> {
        match_skill_triggers(&self.skills, message)
    }
}

const WEB: &str = "---\nname = \"web\"\ndescription = \"Browses.\"\nrequires = [\"sh\"]\ntrigger = \"browse|web page\"\n\
                   [mcp.playwright]\ncommand = \"npx\"\nargs = [\"@playwright/mcp\"]\n---\n";

const LOST: &str = "---\nname: lost\ndescription: Lacks its program.\nrequires: [no-such-program-at-all]\n\
                    trigger: browse\nmcp-lost: no-such-program-at-all\n---\n";

const AGAIN: &str =
    "---\nname: zweb\ndescription: Browses, too.\ntrigger: site\nmcp-playwright: other\n---\n";

// SPEC 8.1, 8.4, 9.1, 9.3, 10.2
#[test]
fn a_program_of_omega_runs() {
    let bundle = Planted::of_names(&["pdf"]);
    let data = Planted::new(&[("skills/web.md", WEB), ("skills/lost/SKILL.md", LOST)]);
    data.write("skills/zweb/SKILL.md", AGAIN);
    migrate_flat_skills(data.path()).unwrap();
    install_bundled_skills(bundle.bundle(), data.path()).unwrap();
    let projects = ensure_projects_dir(data.path()).unwrap();
    data.write("projects/stocks/ROLE.md", "---\nskills = [\"pdf\"]\n---\n\nYou track my portfolio.\n");
    let gateway = Gateway { skills: load_skills(data.path()).unwrap(), projects: load_projects(data.path()) };

    assert_eq!(gateway.projects[0].skills, ["pdf"]);
    assert_eq!(gateway.projects[0].path, projects.join("stocks"));
    let prompt = gateway.system_prompt("stocks");
    assert!(
        prompt.starts_with("You track my portfolio.\n\nYou have the following skills available."),
        "{prompt}"
    );
    let lines: Vec<&str> = prompt.lines().filter(|line| line.starts_with("- ")).collect();
    let line = |name: &str, rest: &str| {
        format!("- {name} {rest} → Read {}", data.path().join(format!("skills/{name}/SKILL.md")).display())
    };
    let expected = [
        line("lost", "[not installed]: Lacks its program."),
        line("pdf", "[installed]: pdf"),
        line("web", "[installed]: Browses."),
        line("zweb", "[installed]: Browses, too."),
    ];
    assert_eq!(lines, expected);

    let commands =
        |message: &str| gateway.servers(message).into_iter().map(|server| server.command).collect::<Vec<_>>();
    assert_eq!(commands("Browse the Web Page of my site"), ["npx"], "the second server has a known name");
    assert_eq!(commands("my site"), ["other"]);
    assert!(commands("browsers of websites").is_empty());
    assert_eq!(collect_all_mcp_servers(&gateway.skills).len(), 1);
    assert!(match_skill_triggers(&[], "browse").is_empty());
}
