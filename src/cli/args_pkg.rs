//! The grammar of `packd pkg`.

use clap::Subcommand;

use super::complete;

#[derive(Subcommand)]
pub enum PkgCommand {
    /// Make this project ready for packages and write an aam.yaml, with comments
    #[command(after_help = "Example:\n  packd pkg init --name my-pack")]
    Init {
        /// The name of the package (default: that of the directory)
        #[arg(long)]
        name: Option<String>,
    },
    /// Search the registries
    #[command(after_help = "Example:\n  packd pkg search review")]
    Search {
        query: String,
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=50))]
        limit: u64,
    },
    /// List what is installed
    #[command(after_help = "Example:\n  packd pkg list")]
    List,
    /// Show one package
    #[command(after_help = "Example:\n  packd pkg info my-pack")]
    Info {
        #[arg(add = complete::packages())]
        name: String,
        version: Option<String>,
    },
    /// Check a package directory
    #[command(after_help = "Example:\n  packd pkg validate ./my-pack")]
    Validate { path: Option<String> },
    /// Install packages with what they depend on, as one operation
    #[command(after_help = "Example:\n  packd pkg install my-pack other@^1.2")]
    Install {
        #[arg(required = true)]
        packages: Vec<String>,
        /// Only for this platform
        #[arg(long, value_parser = crate::core::agents::platforms())]
        platform: Option<String>,
        /// Also if it is installed already
        #[arg(long)]
        force: bool,
        /// Do not write into the platforms' directories
        #[arg(long)]
        no_deploy: bool,
    },
    /// Remove a package and exactly the files it brought
    #[command(after_help = "Example:\n  packd pkg uninstall my-pack")]
    Uninstall {
        #[arg(add = complete::packages())]
        name: String,
    },
    /// Pack and publish the package of this project
    #[command(after_help = "Example:\n  packd pkg publish --registry local")]
    Publish {
        /// The directory of the package (default: this project)
        path: Option<String>,
        #[arg(long)]
        registry: Option<String>,
        #[arg(long)]
        tag: Option<String>,
    },
    /// Make a package from what this project has
    #[command(after_help = "Example:\n  packd pkg create --name my-pack")]
    Create {
        path: Option<String>,
        #[arg(long)]
        name: Option<String>,
        #[arg(long)]
        version: Option<String>,
    },
    /// What could be newer
    #[command(after_help = "Example:\n  packd pkg outdated")]
    Outdated,
    /// Upgrade packages (default: all)
    #[command(after_help = "Example:\n  packd pkg upgrade my-pack")]
    Upgrade {
        #[arg(add = complete::packages())]
        packages: Vec<String>,
    },
    /// Compare installed files with their hashes
    #[command(after_help = "Example:\n  packd pkg verify")]
    Verify {
        #[arg(add = complete::packages())]
        name: Option<String>,
    },
    /// Install exactly what the lock file says
    #[command(after_help = "Example:\n  packd pkg restore")]
    Restore {
        #[arg(long)]
        force: bool,
    },
    /// Registries
    #[command(subcommand, after_help = "Example:\n  packd pkg registry list")]
    Registry(RegistryCommand),
    /// Settings of the package manager
    #[command(subcommand, after_help = "Example:\n  packd pkg config get default_platform")]
    Config(ConfigCommand),
    /// Check packages, files and registries
    #[command(after_help = "Example:\n  packd pkg doctor")]
    Doctor,
}

#[derive(Subcommand)]
pub enum RegistryCommand {
    /// List registries
    #[command(after_help = "Example:\n  packd pkg registry list")]
    List,
    /// Add a registry
    #[command(after_help = "Example:\n  packd pkg registry add local file:///srv/packages --default")]
    Add {
        name: String,
        url: String,
        /// Use it where none is named
        #[arg(long)]
        default: bool,
        /// Make the directory if it is missing
        #[arg(long)]
        create: bool,
    },
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Show settings
    #[command(after_help = "Example:\n  packd pkg config get")]
    Get { key: Option<String> },
    /// Change one setting
    #[command(after_help = "Example:\n  packd pkg config set default_platform claude")]
    Set { key: String, value: String },
}
