# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_packd_global_optspecs
    string join \n json workspace= absolute utc color= no-pager h/help V/version
end

function __fish_packd_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_packd_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_packd_using_subcommand
    set -l cmd (__fish_packd_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c packd -n "__fish_packd_needs_command" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_needs_command" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_needs_command" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_needs_command" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_needs_command" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_needs_command" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_needs_command" -s V -l version -d 'Print version'
complete -c packd -n "__fish_packd_needs_command" -f -a "up" -d 'Start the daemon and show it working end to end'
complete -c packd -n "__fish_packd_needs_command" -f -a "status" -d 'Say whether the daemon runs, since when, and for how many sessions'
complete -c packd -n "__fish_packd_needs_command" -f -a "stop" -d 'Finish what is under way and end the daemon'
complete -c packd -n "__fish_packd_needs_command" -f -a "restart" -d 'Stop the daemon and start it again; editors notice nothing'
complete -c packd -n "__fish_packd_needs_command" -f -a "call" -d 'Call a tool as an agent would'
complete -c packd -n "__fish_packd_needs_command" -f -a "tools" -d 'List the tools agents see, or print one with an example to copy'
complete -c packd -n "__fish_packd_needs_command" -f -a "help" -d 'Explain a command, or a topic: undo, modes, workspaces, hosts'
complete -c packd -n "__fish_packd_needs_command" -f -a "undo" -d 'Take back the newest change in this project'
complete -c packd -n "__fish_packd_needs_command" -f -a "redo" -d 'Bring back what was undone last'
complete -c packd -n "__fish_packd_needs_command" -f -a "revert" -d 'Take back one operation, wherever it stands in the history'
complete -c packd -n "__fish_packd_needs_command" -f -a "history" -d 'List what was done, newest first'
complete -c packd -n "__fish_packd_needs_command" -f -a "show" -d 'Show one operation with what it changed'
complete -c packd -n "__fish_packd_needs_command" -f -a "at" -d 'Show a pack or a task as it was after an operation'
complete -c packd -n "__fish_packd_needs_command" -f -a "log" -d 'Print operations oldest first, and follow them'
complete -c packd -n "__fish_packd_needs_command" -f -a "pack" -d 'Work with context packs'
complete -c packd -n "__fish_packd_needs_command" -f -a "doctor" -d 'Check the installation and say what to do about each problem'
complete -c packd -n "__fish_packd_needs_command" -f -a "gc" -d 'Drop what retention allows to drop, and expired packs'
complete -c packd -n "__fish_packd_needs_command" -f -a "stats" -d 'Calls, latencies, commits and sizes since the daemon started'
complete -c packd -n "__fish_packd_needs_command" -f -a "task" -d 'Work with plans and tasks'
complete -c packd -n "__fish_packd_needs_command" -f -a "deploy" -d 'Deploy agent configuration to Codex, Claude Code, Cursor, VS Code and more'
complete -c packd -n "__fish_packd_needs_command" -f -a "pkg" -d 'Search, install and publish agent packages'
complete -c packd -n "__fish_packd_needs_command" -f -a "mode" -d 'Show the mode of every open session, or set one'
complete -c packd -n "__fish_packd_needs_command" -f -a "confirm" -d 'Answer what waits for a person\'s confirmation'
complete -c packd -n "__fish_packd_needs_command" -f -a "eco" -d 'Work with ecosystems of git repositories'
complete -c packd -n "__fish_packd_needs_command" -f -a "run" -d 'Look at runs: long work that the daemon owns'
complete -c packd -n "__fish_packd_needs_command" -f -a "policy" -d 'Print what each mode allows'
complete -c packd -n "__fish_packd_needs_command" -f -a "daemon" -d 'Run the daemon in the foreground (supervisors do this)'
complete -c packd -n "__fish_packd_needs_command" -f -a "watch" -d 'Follow operations and audit records as they happen, one line each'
complete -c packd -n "__fish_packd_needs_command" -f -a "setup" -d 'Enter packd into editors and agents (MCP hosts), or take it out'
complete -c packd -n "__fish_packd_needs_command" -f -a "workspace" -d 'The projects packd knows, and whether their directories are there'
complete -c packd -n "__fish_packd_needs_command" -f -a "service" -d 'Run packd as a service of this user (systemd, launchd)'
complete -c packd -n "__fish_packd_needs_command" -f -a "backup" -d 'Copy the database into a file while packd runs'
complete -c packd -n "__fish_packd_needs_command" -f -a "restore" -d 'Put a backup in the place of the database'
complete -c packd -n "__fish_packd_needs_command" -f -a "trash" -d 'List what was taken away and is kept for 30 days, or drop it for good'
complete -c packd -n "__fish_packd_needs_command" -f -a "repair" -d 'Make a new database of what can be read of a damaged one'
complete -c packd -n "__fish_packd_needs_command" -f -a "audit" -d 'Export the audit stream with its digests, or verify them'
complete -c packd -n "__fish_packd_needs_command" -f -a "export" -d 'Write packs, tasks and both logs in open formats'
complete -c packd -n "__fish_packd_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c packd -n "__fish_packd_needs_command" -f -a "man" -d 'Write the manual pages into a directory'
complete -c packd -n "__fish_packd_using_subcommand up" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand up" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand up" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand up" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand up" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand up" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand up" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand status" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand status" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand status" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand status" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand status" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand status" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand status" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand stop" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand stop" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand stop" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand stop" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand stop" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand stop" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand stop" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand restart" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand restart" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand restart" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand restart" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand restart" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand restart" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand restart" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand call" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand call" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand call" -l example -d 'Print an example of its arguments instead of calling it'
complete -c packd -n "__fish_packd_using_subcommand call" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand call" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand call" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand call" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand call" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand tools" -l family -d 'Only one family' -r
complete -c packd -n "__fish_packd_using_subcommand tools" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand tools" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand tools" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand tools" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand tools" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand tools" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand tools" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand help" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand help" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand help" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand help" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand help" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand help" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand help" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand undo" -l family -d 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l target -d 'Only what touched this pack, task or file' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l by -d 'Everything this client did, as one operation (with --since: from then on)' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l session -d 'Everything this session did, as one operation' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l since -d 'With --by or --session: 90s, 15m, 1h, 2d, a date or an ISO time' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l expect -d 'Refuse unless this is the operation' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand undo" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand undo" -s y -l yes -d 'Do not ask, also if it writes files'
complete -c packd -n "__fish_packd_using_subcommand undo" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand undo" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand undo" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand undo" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand undo" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand redo" -l family -d 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)' -r
complete -c packd -n "__fish_packd_using_subcommand redo" -l target -d 'Only what touched this pack, task or file' -r
complete -c packd -n "__fish_packd_using_subcommand redo" -l expect -d 'Refuse unless this is the operation' -r
complete -c packd -n "__fish_packd_using_subcommand redo" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand redo" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand redo" -s y -l yes -d 'Do not ask, also if it writes files'
complete -c packd -n "__fish_packd_using_subcommand redo" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand redo" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand redo" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand redo" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand redo" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand revert" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand revert" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand revert" -s y -l yes -d 'Do not ask'
complete -c packd -n "__fish_packd_using_subcommand revert" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand revert" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand revert" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand revert" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand revert" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand history" -l family -d 'Only one family (packs, tasks, deploy, packages, ecosystems, hosts)' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l target -d 'Only what touched this pack, task or file' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l tool -d 'Only what this tool did' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l path -d 'Only what changed this field, such as title or steps[STEP-1A2B0000].title' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l by -d 'Only what this client did; `you` is this command line' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l session -d 'Only what this session did, by any part of its id that is enough' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l since -d 'Only what is not older: 90s, 15m, 1h, 2d, a date or an ISO time' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l limit -d 'How many at most' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l before -d 'Only operations older than this one' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand history" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand history" -l audit -d 'The audit stream: refusals, mode changes, confirmations'
complete -c packd -n "__fish_packd_using_subcommand history" -l all -d 'Every project of this user'
complete -c packd -n "__fish_packd_using_subcommand history" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand history" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand history" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand history" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand history" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand show" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand show" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand show" -l request -d 'The id is the request key of a call whose reply was lost'
complete -c packd -n "__fish_packd_using_subcommand show" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand show" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand show" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand show" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand show" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand at" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand at" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand at" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand at" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand at" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand at" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand at" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand log" -l since -d 'Start after this operation' -r
complete -c packd -n "__fish_packd_using_subcommand log" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand log" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand log" -s f -l follow -d 'Keep printing as things happen'
complete -c packd -n "__fish_packd_using_subcommand log" -l audit
complete -c packd -n "__fish_packd_using_subcommand log" -l all -d 'Every project of this user'
complete -c packd -n "__fish_packd_using_subcommand log" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand log" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand log" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand log" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand log" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "new" -d 'Make a pack'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "add" -d 'Add code to a pack: lines of a file, or a definition by its name'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "edit" -d 'Change a pack as Markdown in $EDITOR'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "list" -d 'List packs'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "show" -d 'Render a pack'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "export" -d 'Write packs as Markdown files with YAML front matter'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "check" -d 'Tell which refs still point to the code they were made of; exit code 1 while any does not'
complete -c packd -n "__fish_packd_using_subcommand pack; and not __fish_seen_subcommand_from new add edit list show export check import" -f -a "import" -d 'Take in pack files'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l name -d 'A name to call it by' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l brief -d 'What it is for, in a sentence' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l days -d 'After how many days it may be dropped' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from new" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l symbol -d 'A definition in the file (function, type, …)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l section -d 'The section it goes into' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l why -d 'Why it is there' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from edit" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l query -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l status -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l limit -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l to -d 'Directory (default: print one pack)' -r -F
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l fix -d 'Point refs whose code moved to where it is now'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pack; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand doctor" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand doctor" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand doctor" -l fix -d 'Repair what can be repaired without a decision of yours'
complete -c packd -n "__fish_packd_using_subcommand doctor" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand doctor" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand doctor" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand doctor" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand gc" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand gc" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand gc" -l compact -d 'Shrink the database file, too, while packd runs'
complete -c packd -n "__fish_packd_using_subcommand gc" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand gc" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand gc" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand gc" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand gc" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand stats" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand stats" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand stats" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand stats" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand stats" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand stats" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand stats" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "add" -d 'Make a task, and a plan for it where there is none'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "start" -d 'Begin to work on a task: it becomes active and the focus'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "step" -d 'Add a step to a task'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "close" -d 'Confirm what is open and close a step, or the whole task'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "focus" -d 'Say which task is meant where none is named, or show it'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "edit" -d 'Change a task or plan in $EDITOR'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "list" -d 'List plans with their tasks'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "show" -d 'Show one task or plan with its steps (default: the focus)'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "tree" -d 'The same as show; a plan with its tasks'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "radar" -d 'Now, why, verify, next: one screen'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "next" -d 'The one next action, ready to paste'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "done" -d 'Complete a step'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "note" -d 'Add a note to a step'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "undo" -d 'Take back the newest change to a task'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "import" -d 'Take in a directory of task files, as one operation'
complete -c packd -n "__fish_packd_using_subcommand task; and not __fish_seen_subcommand_from add start step close focus edit list show tree radar next done note undo import export" -f -a "export" -d 'Write every plan and task as a file'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l plan -d 'The plan it belongs to (default: the focused or only open one)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l step -d 'A step of it; may be given several times' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l test -d 'The command that tells whether the steps are done' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from start" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l test -d 'The command that tells whether it is done' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from step" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l note -d 'What was done' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l force -d 'Although something is open'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from close" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l clear -d 'Focus on nothing'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from focus" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from edit" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l status -d 'TODO, ACTIVE or DONE' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l limit -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from tree" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from radar" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from next" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l force -d 'Although checkpoints are open'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from done" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from note" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -s y -l yes -d 'Do not ask'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from undo" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l dry-run -d 'Only say what would happen'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l overwrite -d 'Replace tasks that exist'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand task; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l repo -d 'The config repository (default: $AGENTPACK_HOME/repo)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l profile -d 'The profile of agentpack.yaml that selects modules' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l target -d 'codex, claude_code, cursor, vscode, jetbrains, zed or all' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l machine -d 'The machine whose overlays apply (default: this one)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l apply -d 'Write the planned files'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l adopt -d 'Overwrite files that packd did not write'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -s y -l yes -d 'Do not ask'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "init" -d 'Write a config repository that works, with comments'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "status" -d 'What differs from what was deployed'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "diff" -d 'What a deploy would change, line by line'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "doctor" -d 'Check the config repository and the targets'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "snapshots" -d 'What can be rolled back to'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "rollback" -d 'Go back to a snapshot'
complete -c packd -n "__fish_packd_using_subcommand deploy; and not __fish_seen_subcommand_from init status diff doctor snapshots rollback evolve" -f -a "evolve" -d 'Bring changes made in place back into the config repository'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l repo -d 'Where (default: $AGENTPACK_HOME/repo, where `packd deploy` looks)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l repo -d 'The config repository (default: $AGENTPACK_HOME/repo)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l profile -d 'The profile of agentpack.yaml that selects modules' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l target -d 'codex, claude_code, cursor, vscode, jetbrains, zed or all' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l machine -d 'The machine whose overlays apply (default: this one)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l only -d 'missing, modified or extra; may be given several times' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l repo -d 'The config repository (default: $AGENTPACK_HOME/repo)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l profile -d 'The profile of agentpack.yaml that selects modules' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l target -d 'codex, claude_code, cursor, vscode, jetbrains, zed or all' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l machine -d 'The machine whose overlays apply (default: this one)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from diff" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l repo -d 'The config repository (default: $AGENTPACK_HOME/repo)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l target -d 'Only this target' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from doctor" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l target -d 'Only those of this target' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from snapshots" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -s y -l yes -d 'Do not ask'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from rollback" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -f -a "propose" -d 'Commit edited outputs as overlays on a branch of their own'
complete -c packd -n "__fish_packd_using_subcommand deploy; and __fish_seen_subcommand_from evolve" -f -a "restore" -d 'Write missing outputs again'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "init" -d 'Make this project ready for packages and write an aam.yaml, with comments'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "search" -d 'Search the registries'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "list" -d 'List what is installed'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "info" -d 'Show one package'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "validate" -d 'Check a package directory'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "install" -d 'Install packages with what they depend on, as one operation'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "uninstall" -d 'Remove a package and exactly the files it brought'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "publish" -d 'Pack and publish the package of this project'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "create" -d 'Make a package from what this project has'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "outdated" -d 'What could be newer'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "upgrade" -d 'Upgrade packages (default: all)'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "verify" -d 'Compare installed files with their hashes'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "restore" -d 'Install exactly what the lock file says'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "registry" -d 'Registries'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "config" -d 'Settings of the package manager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and not __fish_seen_subcommand_from init search list info validate install uninstall publish create outdated upgrade verify restore registry config doctor" -f -a "doctor" -d 'Check packages, files and registries'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l name -d 'The name of the package (default: that of the directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l limit -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from search" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from info" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from validate" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l platform -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l force -d 'Also if it is installed already'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l no-deploy -d 'Do not write into the platforms\' directories'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from install" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from uninstall" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l registry -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l tag -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from publish" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l name -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l version -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from outdated" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from upgrade" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l force
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -f -a "list" -d 'List registries'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from registry" -f -a "add" -d 'Add a registry'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -f -a "get" -d 'Show settings'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from config" -f -a "set" -d 'Change one setting'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand pkg; and __fish_seen_subcommand_from doctor" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand mode" -l session -d 'The session, by the beginning of its id (default: the only one of this project)' -r
complete -c packd -n "__fish_packd_using_subcommand mode" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand mode" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand mode" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand mode" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand mode" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand mode" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand mode" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand confirm" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand confirm" -l list -d 'Only show what waits'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l set-passphrase -d 'Set or change the passphrase that confirming then needs'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l remove-passphrase -d 'Remove the passphrase'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand confirm" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand confirm" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "init" -d 'Write the manifest of a new ecosystem, with comments'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "list" -d 'List ecosystems'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "status" -d 'Branch, commit and state of every repository'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "describe" -d 'What the manifest says'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "validate" -d 'Check the manifest'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "install" -d 'Clone the repositories and set up the workspace'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "sync" -d 'Fetch and update every repository'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "push" -d 'Push what is committed'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "archive" -d 'Push everything, record it and remove the workspace'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "discard" -d 'Remove the workspace without pushing'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "deploy" -d 'Run the provisioner\'s deploy'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "destroy" -d 'Run the provisioner\'s destroy'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "ticket" -d 'Tickets: one branch over several repositories'
complete -c packd -n "__fish_packd_using_subcommand eco; and not __fish_seen_subcommand_from init list status describe validate install sync push archive discard deploy destroy ticket release" -f -a "release" -d 'Releases'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from describe" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from validate" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from install" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from sync" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from push" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from archive" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l force -d 'Also if there is unpushed work'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from discard" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from deploy" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -s y -l yes -d 'Do not ask (where a name must be typed, it is always asked)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from destroy" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -f -a "list" -d 'List tickets'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -f -a "start" -d 'Start a ticket'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -f -a "switch" -d 'Switch to a ticket (`main` = none)'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from ticket" -f -a "end" -d 'End a ticket'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -f -a "status" -d 'The newest release and what came since'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -f -a "validate" -d 'Check whether a release could be made'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -f -a "log" -d 'The releases'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -f -a "bump" -d 'Make the next version'
complete -c packd -n "__fish_packd_using_subcommand eco; and __fish_seen_subcommand_from release" -f -a "promote" -d 'Promote a pre-release'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -f -a "list" -d 'List runs, newest first'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -f -a "status" -d 'How a run is doing'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -f -a "logs" -d 'What a run printed'
complete -c packd -n "__fish_packd_using_subcommand run; and not __fish_seen_subcommand_from list status logs cancel" -f -a "cancel" -d 'Stop a run and everything it started'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l limit -r
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l tail -d 'How many lines from its end' -r
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -s f -l follow -d 'Keep printing until it ends'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from logs" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand run; and __fish_seen_subcommand_from cancel" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand policy" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand policy" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand policy" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand policy" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand policy" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand policy" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand policy" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand daemon" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand daemon" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand daemon" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand daemon" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand daemon" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand daemon" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand daemon" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand watch" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand watch" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand watch" -l all -d 'Every project of this user'
complete -c packd -n "__fish_packd_using_subcommand watch" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand watch" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand watch" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand watch" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand watch" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand setup" -l toolsets -d 'Families to offer, separated by commas (default: all)' -r
complete -c packd -n "__fish_packd_using_subcommand setup" -l max-mode -d 'The highest mode agents may use there' -r -f -a "ask\t''
plan\t''
execute\t''"
complete -c packd -n "__fish_packd_using_subcommand setup" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand setup" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand setup" -l all -d 'Every host that is found here'
complete -c packd -n "__fish_packd_using_subcommand setup" -l project -d 'The project\'s own file instead of the user\'s'
complete -c packd -n "__fish_packd_using_subcommand setup" -l dry-run -d 'Only show what would change'
complete -c packd -n "__fish_packd_using_subcommand setup" -l read-only -d 'Offer no tool that writes'
complete -c packd -n "__fish_packd_using_subcommand setup" -l allow-write -d 'Offer the package tools that write, too'
complete -c packd -n "__fish_packd_using_subcommand setup" -l remove -d 'Take packd out again'
complete -c packd -n "__fish_packd_using_subcommand setup" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand setup" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand setup" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand setup" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand setup" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand workspace; and not __fish_seen_subcommand_from list" -f -a "list" -d 'List the projects packd knows, and whether their directories are there'
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand workspace; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -f -a "install" -d 'Write the units for this user and start the service'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -f -a "uninstall" -d 'Stop the service and remove its units'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -f -a "status" -d 'Say whether the service is installed and running'
complete -c packd -n "__fish_packd_using_subcommand service; and not __fish_seen_subcommand_from install uninstall status logs" -f -a "logs" -d 'What the service logged'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l dry-run -d 'Only print what would be written'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from install" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from uninstall" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l tail -r
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -s f -l follow -d 'Keep printing'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand service; and __fish_seen_subcommand_from logs" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand backup" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand backup" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand backup" -l force -d 'Replace the file if it exists'
complete -c packd -n "__fish_packd_using_subcommand backup" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand backup" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand backup" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand backup" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand backup" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand restore" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand restore" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand restore" -s y -l yes -d 'Do not ask'
complete -c packd -n "__fish_packd_using_subcommand restore" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand restore" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand restore" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand restore" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand restore" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand trash; and not __fish_seen_subcommand_from empty" -f -a "empty" -d 'Drop everything in the trash for good'
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l yes -d 'Do not ask'
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand trash; and __fish_seen_subcommand_from empty" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand repair" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand repair" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand repair" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand repair" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand repair" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand repair" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand repair" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -f -a "export" -d 'Write every audit record with its digest into a file, oldest first, one JSON object a line'
complete -c packd -n "__fish_packd_using_subcommand audit; and not __fish_seen_subcommand_from export verify" -f -a "verify" -d 'Recompute the digests of an export, or of the running store'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l force -d 'Replace the file if it exists'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l store -d 'Also verify the running store, and that it begins with exactly the records of the file'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand audit; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand export" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand export" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand export" -l all -d 'Every project of this user (default: this project)'
complete -c packd -n "__fish_packd_using_subcommand export" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand export" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand export" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand export" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand export" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand completions" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand completions" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand completions" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand completions" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand completions" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand completions" -s h -l help -d 'Print help'
complete -c packd -n "__fish_packd_using_subcommand man" -l workspace -d 'The project directory (default: the git top level of this directory)' -r
complete -c packd -n "__fish_packd_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t''
always\t''
never\t''"
complete -c packd -n "__fish_packd_using_subcommand man" -l json -d 'Print the answer as JSON'
complete -c packd -n "__fish_packd_using_subcommand man" -l absolute -d 'Times as the clock of this place shows them'
complete -c packd -n "__fish_packd_using_subcommand man" -l utc -d 'Times in UTC'
complete -c packd -n "__fish_packd_using_subcommand man" -l no-pager -d 'Do not show long answers in a pager'
complete -c packd -n "__fish_packd_using_subcommand man" -s h -l help -d 'Print help'
