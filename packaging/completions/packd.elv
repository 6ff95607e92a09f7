
use builtin;
use str;

set edit:completion:arg-completer[packd] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'packd'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'packd'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand up 'Start the daemon and show it working end to end'
            cand status 'Say whether the daemon runs, since when, and for how many sessions'
            cand stop 'Finish what is under way and end the daemon'
            cand restart 'Stop the daemon and start it again; editors notice nothing'
            cand call 'Call a tool as an agent would'
            cand undo 'Take back the newest change in this project'
            cand redo 'Bring back what was undone last'
            cand history 'List what was done, newest first'
            cand show 'Show one operation with what it changed'
            cand at 'Show a pack or a task as it was after an operation'
            cand log 'Print operations oldest first, and follow them'
            cand pack 'Work with context packs'
            cand doctor 'Check the installation and say what to do about each problem'
            cand gc 'Drop what retention allows to drop, and expired packs'
            cand stats 'Calls, latencies, commits and sizes since the daemon started'
            cand task 'Work with plans and tasks'
            cand deploy 'Deploy agent configuration to Codex, Claude Code, Cursor, VS Code and more'
            cand pkg 'Search, install and publish agent packages'
            cand mode 'Show the mode of every open session, or set one'
            cand confirm 'Answer what waits for a person''s confirmation'
            cand eco 'Work with ecosystems of git repositories'
            cand run 'Look at runs: long work that the daemon owns'
            cand policy 'Print what each mode allows'
            cand daemon 'Run the daemon in the foreground (supervisors do this)'
            cand watch 'Follow operations and audit records as they happen, one line each'
            cand setup 'Enter packd into editors and agents (MCP hosts), or take it out'
            cand service 'Run packd as a service of this user (systemd, launchd)'
            cand backup 'Copy the database into a file while packd runs'
            cand restore 'Put a backup in the place of the database'
            cand trash 'List what was taken away and is kept for 30 days, or drop it for good'
            cand repair 'Make a new database of what can be read of a damaged one'
            cand audit 'Export the audit stream with its digests, or verify them'
            cand export 'Write packs, tasks and both logs in open formats'
            cand completions 'Print a completion script for a shell'
            cand man 'Write the manual pages into a directory'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;up'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;status'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;stop'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;restart'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;call'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;undo'= {
            cand --family 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)'
            cand --target 'Only what touched this pack, task or file'
            cand --expect 'Refuse unless this is the operation'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Also if it writes files'
            cand --yes 'Also if it writes files'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;redo'= {
            cand --family 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)'
            cand --target 'Only what touched this pack, task or file'
            cand --expect 'Refuse unless this is the operation'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Also if it writes files'
            cand --yes 'Also if it writes files'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;history'= {
            cand --family 'family'
            cand --target 'target'
            cand --tool 'tool'
            cand --path 'Only what changed this field, such as title or steps[STEP-1A2B0000].title'
            cand --limit 'limit'
            cand --before 'Only operations older than this one'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --audit 'The audit stream: refusals, mode changes, confirmations'
            cand --all 'Every project of this user'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;show'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --request 'The id is the request key of a call whose reply was lost'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;at'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;log'= {
            cand --since 'Start after this operation'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -f 'Keep printing as things happen'
            cand --follow 'Keep printing as things happen'
            cand --audit 'audit'
            cand --all 'Every project of this user'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pack'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List packs'
            cand show 'Render a pack'
            cand export 'Write packs as Markdown files with YAML front matter'
            cand check 'Tell which refs still point to the code they were made of; exit code 1 while any does not'
            cand import 'Take in pack files'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pack;list'= {
            cand --query 'query'
            cand --status 'status'
            cand --limit 'limit'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pack;show'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pack;export'= {
            cand --to 'Directory (default: print one pack)'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pack;check'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --fix 'Point refs whose code moved to where it is now'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pack;import'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pack;help'= {
            cand list 'List packs'
            cand show 'Render a pack'
            cand export 'Write packs as Markdown files with YAML front matter'
            cand check 'Tell which refs still point to the code they were made of; exit code 1 while any does not'
            cand import 'Take in pack files'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pack;help;list'= {
        }
        &'packd;pack;help;show'= {
        }
        &'packd;pack;help;export'= {
        }
        &'packd;pack;help;check'= {
        }
        &'packd;pack;help;import'= {
        }
        &'packd;pack;help;help'= {
        }
        &'packd;doctor'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --fix 'Repair what can be repaired without a decision of yours'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;gc'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --compact 'Shrink the database file, too, while packd runs'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;stats'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List plans with their tasks'
            cand show 'Show one task or plan with its steps (default: the focus)'
            cand tree 'The same as show'
            cand radar 'Now, why, verify, next: one screen'
            cand next 'The one next action, ready to paste'
            cand done 'Complete a step'
            cand note 'Add a note to a step'
            cand undo 'Take back the newest change to a task'
            cand import 'Take in a directory of task files, as one operation'
            cand export 'Write every plan and task as a file'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;task;list'= {
            cand --status 'TODO, ACTIVE or DONE'
            cand --limit 'limit'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;show'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;tree'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;radar'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;next'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;done'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --force 'Although checkpoints are open'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;note'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;undo'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;import'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --dry-run 'Only say what would happen'
            cand --overwrite 'Replace tasks that exist'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;export'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;task;help'= {
            cand list 'List plans with their tasks'
            cand show 'Show one task or plan with its steps (default: the focus)'
            cand tree 'The same as show'
            cand radar 'Now, why, verify, next: one screen'
            cand next 'The one next action, ready to paste'
            cand done 'Complete a step'
            cand note 'Add a note to a step'
            cand undo 'Take back the newest change to a task'
            cand import 'Take in a directory of task files, as one operation'
            cand export 'Write every plan and task as a file'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;task;help;list'= {
        }
        &'packd;task;help;show'= {
        }
        &'packd;task;help;tree'= {
        }
        &'packd;task;help;radar'= {
        }
        &'packd;task;help;next'= {
        }
        &'packd;task;help;done'= {
        }
        &'packd;task;help;note'= {
        }
        &'packd;task;help;undo'= {
        }
        &'packd;task;help;import'= {
        }
        &'packd;task;help;export'= {
        }
        &'packd;task;help;help'= {
        }
        &'packd;deploy'= {
            cand --repo 'The config repository (default: $AGENTPACK_HOME/repo)'
            cand --profile 'The profile of agentpack.yaml that selects modules'
            cand --target 'codex, claude_code, cursor, vscode, jetbrains, zed or all'
            cand --machine 'The machine whose overlays apply (default: this one)'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --apply 'Write the planned files'
            cand --adopt 'Overwrite files that packd did not write'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand status 'What differs from what was deployed'
            cand diff 'What a deploy would change, line by line'
            cand doctor 'Check the config repository and the targets'
            cand snapshots 'What can be rolled back to'
            cand rollback 'Go back to a snapshot'
            cand evolve 'Bring changes made in place back into the config repository'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;deploy;status'= {
            cand --repo 'The config repository (default: $AGENTPACK_HOME/repo)'
            cand --profile 'The profile of agentpack.yaml that selects modules'
            cand --target 'codex, claude_code, cursor, vscode, jetbrains, zed or all'
            cand --machine 'The machine whose overlays apply (default: this one)'
            cand --only 'missing, modified or extra; may be given several times'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;diff'= {
            cand --repo 'The config repository (default: $AGENTPACK_HOME/repo)'
            cand --profile 'The profile of agentpack.yaml that selects modules'
            cand --target 'codex, claude_code, cursor, vscode, jetbrains, zed or all'
            cand --machine 'The machine whose overlays apply (default: this one)'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;doctor'= {
            cand --repo 'The config repository (default: $AGENTPACK_HOME/repo)'
            cand --target 'Only this target'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;snapshots'= {
            cand --target 'Only those of this target'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;rollback'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;evolve'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand propose 'Commit edited outputs as overlays on a branch of their own'
            cand restore 'Write missing outputs again'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;deploy;evolve;propose'= {
            cand --repo 'The config repository (default: $AGENTPACK_HOME/repo)'
            cand --profile 'The profile of agentpack.yaml that selects modules'
            cand --target 'codex, claude_code, cursor, vscode, jetbrains, zed or all'
            cand --machine 'The machine whose overlays apply (default: this one)'
            cand --module 'Only what comes from this module'
            cand --scope 'The overlays to write into: global, machine or project'
            cand --branch 'The name of the new branch'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do it; without this only a preview is shown'
            cand --yes 'Do it; without this only a preview is shown'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;evolve;restore'= {
            cand --repo 'The config repository (default: $AGENTPACK_HOME/repo)'
            cand --profile 'The profile of agentpack.yaml that selects modules'
            cand --target 'codex, claude_code, cursor, vscode, jetbrains, zed or all'
            cand --machine 'The machine whose overlays apply (default: this one)'
            cand --module 'Only what comes from this module'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do it; without this only a preview is shown'
            cand --yes 'Do it; without this only a preview is shown'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;deploy;evolve;help'= {
            cand propose 'Commit edited outputs as overlays on a branch of their own'
            cand restore 'Write missing outputs again'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;deploy;evolve;help;propose'= {
        }
        &'packd;deploy;evolve;help;restore'= {
        }
        &'packd;deploy;evolve;help;help'= {
        }
        &'packd;deploy;help'= {
            cand status 'What differs from what was deployed'
            cand diff 'What a deploy would change, line by line'
            cand doctor 'Check the config repository and the targets'
            cand snapshots 'What can be rolled back to'
            cand rollback 'Go back to a snapshot'
            cand evolve 'Bring changes made in place back into the config repository'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;deploy;help;status'= {
        }
        &'packd;deploy;help;diff'= {
        }
        &'packd;deploy;help;doctor'= {
        }
        &'packd;deploy;help;snapshots'= {
        }
        &'packd;deploy;help;rollback'= {
        }
        &'packd;deploy;help;evolve'= {
            cand propose 'Commit edited outputs as overlays on a branch of their own'
            cand restore 'Write missing outputs again'
        }
        &'packd;deploy;help;evolve;propose'= {
        }
        &'packd;deploy;help;evolve;restore'= {
        }
        &'packd;deploy;help;help'= {
        }
        &'packd;pkg'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand search 'Search the registries'
            cand list 'List what is installed'
            cand info 'Show one package'
            cand validate 'Check a package directory'
            cand install 'Install packages with what they depend on, as one operation'
            cand uninstall 'Remove a package and exactly the files it brought'
            cand publish 'Pack and publish the package of this project'
            cand create 'Make a package from what this project has'
            cand outdated 'What could be newer'
            cand upgrade 'Upgrade packages (default: all)'
            cand verify 'Compare installed files with their hashes'
            cand restore 'Install exactly what the lock file says'
            cand registry 'Registries'
            cand config 'Settings of the package manager'
            cand doctor 'Check packages, files and registries'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pkg;search'= {
            cand --limit 'limit'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;list'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;info'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;validate'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;install'= {
            cand --platform 'platform'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --force 'Also if it is installed already'
            cand --no-deploy 'Do not write into the platforms'' directories'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;uninstall'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;publish'= {
            cand --registry 'registry'
            cand --tag 'tag'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;create'= {
            cand --name 'name'
            cand --version 'version'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;outdated'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;upgrade'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;verify'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;restore'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --force 'force'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;registry'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List registries'
            cand add 'Add a registry'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pkg;registry;list'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;registry;add'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --default 'Use it where none is named'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;registry;help'= {
            cand list 'List registries'
            cand add 'Add a registry'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pkg;registry;help;list'= {
        }
        &'packd;pkg;registry;help;add'= {
        }
        &'packd;pkg;registry;help;help'= {
        }
        &'packd;pkg;config'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand get 'Show settings'
            cand set 'Change one setting'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pkg;config;get'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;config;set'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;config;help'= {
            cand get 'Show settings'
            cand set 'Change one setting'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pkg;config;help;get'= {
        }
        &'packd;pkg;config;help;set'= {
        }
        &'packd;pkg;config;help;help'= {
        }
        &'packd;pkg;doctor'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;pkg;help'= {
            cand search 'Search the registries'
            cand list 'List what is installed'
            cand info 'Show one package'
            cand validate 'Check a package directory'
            cand install 'Install packages with what they depend on, as one operation'
            cand uninstall 'Remove a package and exactly the files it brought'
            cand publish 'Pack and publish the package of this project'
            cand create 'Make a package from what this project has'
            cand outdated 'What could be newer'
            cand upgrade 'Upgrade packages (default: all)'
            cand verify 'Compare installed files with their hashes'
            cand restore 'Install exactly what the lock file says'
            cand registry 'Registries'
            cand config 'Settings of the package manager'
            cand doctor 'Check packages, files and registries'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;pkg;help;search'= {
        }
        &'packd;pkg;help;list'= {
        }
        &'packd;pkg;help;info'= {
        }
        &'packd;pkg;help;validate'= {
        }
        &'packd;pkg;help;install'= {
        }
        &'packd;pkg;help;uninstall'= {
        }
        &'packd;pkg;help;publish'= {
        }
        &'packd;pkg;help;create'= {
        }
        &'packd;pkg;help;outdated'= {
        }
        &'packd;pkg;help;upgrade'= {
        }
        &'packd;pkg;help;verify'= {
        }
        &'packd;pkg;help;restore'= {
        }
        &'packd;pkg;help;registry'= {
            cand list 'List registries'
            cand add 'Add a registry'
        }
        &'packd;pkg;help;registry;list'= {
        }
        &'packd;pkg;help;registry;add'= {
        }
        &'packd;pkg;help;config'= {
            cand get 'Show settings'
            cand set 'Change one setting'
        }
        &'packd;pkg;help;config;get'= {
        }
        &'packd;pkg;help;config;set'= {
        }
        &'packd;pkg;help;doctor'= {
        }
        &'packd;pkg;help;help'= {
        }
        &'packd;mode'= {
            cand --session 'The session, by the beginning of its id (default: the only one of this project)'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;confirm'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --list 'Only show what waits'
            cand --set-passphrase 'Set or change the passphrase that confirming then needs'
            cand --remove-passphrase 'Remove the passphrase'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List ecosystems'
            cand status 'Branch, commit and state of every repository'
            cand describe 'What the manifest says'
            cand validate 'Check the manifest'
            cand install 'Clone the repositories and set up the workspace'
            cand sync 'Fetch and update every repository'
            cand push 'Push what is committed'
            cand archive 'Push everything, record it and remove the workspace'
            cand discard 'Remove the workspace without pushing'
            cand deploy 'Run the provisioner''s deploy'
            cand destroy 'Run the provisioner''s destroy'
            cand ticket 'Tickets: one branch over several repositories'
            cand release 'Releases'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;eco;list'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;status'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;describe'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;validate'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;install'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;sync'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;push'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;archive'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;discard'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --force 'Also if there is unpushed work'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;deploy'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;destroy'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;ticket'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List tickets'
            cand start 'Start a ticket'
            cand switch 'Switch to a ticket (`main` = none)'
            cand end 'End a ticket'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;eco;ticket;list'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;ticket;start'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;ticket;switch'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;ticket;end'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;ticket;help'= {
            cand list 'List tickets'
            cand start 'Start a ticket'
            cand switch 'Switch to a ticket (`main` = none)'
            cand end 'End a ticket'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;eco;ticket;help;list'= {
        }
        &'packd;eco;ticket;help;start'= {
        }
        &'packd;eco;ticket;help;switch'= {
        }
        &'packd;eco;ticket;help;end'= {
        }
        &'packd;eco;ticket;help;help'= {
        }
        &'packd;eco;release'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand status 'The newest release and what came since'
            cand validate 'Check whether a release could be made'
            cand log 'The releases'
            cand bump 'Make the next version'
            cand promote 'Promote a pre-release'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;eco;release;status'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;release;validate'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;release;log'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;release;bump'= {
            cand --pre-release 'alpha, beta or rc'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;release;promote'= {
            cand --stage 'beta or rc (default: stable)'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -y 'Do not ask (where a name must be typed, it is always asked)'
            cand --yes 'Do not ask (where a name must be typed, it is always asked)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;eco;release;help'= {
            cand status 'The newest release and what came since'
            cand validate 'Check whether a release could be made'
            cand log 'The releases'
            cand bump 'Make the next version'
            cand promote 'Promote a pre-release'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;eco;release;help;status'= {
        }
        &'packd;eco;release;help;validate'= {
        }
        &'packd;eco;release;help;log'= {
        }
        &'packd;eco;release;help;bump'= {
        }
        &'packd;eco;release;help;promote'= {
        }
        &'packd;eco;release;help;help'= {
        }
        &'packd;eco;help'= {
            cand list 'List ecosystems'
            cand status 'Branch, commit and state of every repository'
            cand describe 'What the manifest says'
            cand validate 'Check the manifest'
            cand install 'Clone the repositories and set up the workspace'
            cand sync 'Fetch and update every repository'
            cand push 'Push what is committed'
            cand archive 'Push everything, record it and remove the workspace'
            cand discard 'Remove the workspace without pushing'
            cand deploy 'Run the provisioner''s deploy'
            cand destroy 'Run the provisioner''s destroy'
            cand ticket 'Tickets: one branch over several repositories'
            cand release 'Releases'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;eco;help;list'= {
        }
        &'packd;eco;help;status'= {
        }
        &'packd;eco;help;describe'= {
        }
        &'packd;eco;help;validate'= {
        }
        &'packd;eco;help;install'= {
        }
        &'packd;eco;help;sync'= {
        }
        &'packd;eco;help;push'= {
        }
        &'packd;eco;help;archive'= {
        }
        &'packd;eco;help;discard'= {
        }
        &'packd;eco;help;deploy'= {
        }
        &'packd;eco;help;destroy'= {
        }
        &'packd;eco;help;ticket'= {
            cand list 'List tickets'
            cand start 'Start a ticket'
            cand switch 'Switch to a ticket (`main` = none)'
            cand end 'End a ticket'
        }
        &'packd;eco;help;ticket;list'= {
        }
        &'packd;eco;help;ticket;start'= {
        }
        &'packd;eco;help;ticket;switch'= {
        }
        &'packd;eco;help;ticket;end'= {
        }
        &'packd;eco;help;release'= {
            cand status 'The newest release and what came since'
            cand validate 'Check whether a release could be made'
            cand log 'The releases'
            cand bump 'Make the next version'
            cand promote 'Promote a pre-release'
        }
        &'packd;eco;help;release;status'= {
        }
        &'packd;eco;help;release;validate'= {
        }
        &'packd;eco;help;release;log'= {
        }
        &'packd;eco;help;release;bump'= {
        }
        &'packd;eco;help;release;promote'= {
        }
        &'packd;eco;help;help'= {
        }
        &'packd;run'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List runs, newest first'
            cand status 'How a run is doing'
            cand logs 'What a run printed'
            cand cancel 'Stop a run and everything it started'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;run;list'= {
            cand --limit 'limit'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;run;status'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;run;logs'= {
            cand --tail 'tail'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -f 'f'
            cand --follow 'follow'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;run;cancel'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;run;help'= {
            cand list 'List runs, newest first'
            cand status 'How a run is doing'
            cand logs 'What a run printed'
            cand cancel 'Stop a run and everything it started'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;run;help;list'= {
        }
        &'packd;run;help;status'= {
        }
        &'packd;run;help;logs'= {
        }
        &'packd;run;help;cancel'= {
        }
        &'packd;run;help;help'= {
        }
        &'packd;policy'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;daemon'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;watch'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --all 'Every project of this user'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;setup'= {
            cand --toolsets 'Families to offer, separated by commas (default: all)'
            cand --max-mode 'The highest mode agents may use there'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --all 'Every host that is found here'
            cand --project 'The project''s own file instead of the user''s'
            cand --dry-run 'Only show what would change'
            cand --read-only 'Offer no tool that writes'
            cand --allow-write 'Offer the package tools that write, too'
            cand --remove 'Take packd out again'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;service'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand install 'Write the units for this user and start the service'
            cand uninstall 'Stop the service and remove its units'
            cand status 'Say whether the service is installed and running'
            cand logs 'What the service logged'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;service;install'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --dry-run 'Only print what would be written'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;service;uninstall'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;service;status'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;service;logs'= {
            cand --tail 'tail'
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand -f 'Keep printing'
            cand --follow 'Keep printing'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;service;help'= {
            cand install 'Write the units for this user and start the service'
            cand uninstall 'Stop the service and remove its units'
            cand status 'Say whether the service is installed and running'
            cand logs 'What the service logged'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;service;help;install'= {
        }
        &'packd;service;help;uninstall'= {
        }
        &'packd;service;help;status'= {
        }
        &'packd;service;help;logs'= {
        }
        &'packd;service;help;help'= {
        }
        &'packd;backup'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --force 'Replace the file if it exists'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;restore'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;trash'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand empty 'Drop everything in the trash for good'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;trash;empty'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --yes 'Do not ask'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;trash;help'= {
            cand empty 'Drop everything in the trash for good'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;trash;help;empty'= {
        }
        &'packd;trash;help;help'= {
        }
        &'packd;repair'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;audit'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand export 'Write every audit record with its digest into a file, oldest first, one JSON object a line'
            cand verify 'Recompute the digests of an export, or of the running store'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;audit;export'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --force 'Replace the file if it exists'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;audit;verify'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --store 'Also verify the running store, and that it begins with exactly the records of the file'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;audit;help'= {
            cand export 'Write every audit record with its digest into a file, oldest first, one JSON object a line'
            cand verify 'Recompute the digests of an export, or of the running store'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;audit;help;export'= {
        }
        &'packd;audit;help;verify'= {
        }
        &'packd;audit;help;help'= {
        }
        &'packd;export'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --all 'Every project of this user (default: this project)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;completions'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;man'= {
            cand --workspace 'The project directory (default: the git top level of this directory)'
            cand --json 'Print the answer as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'packd;help'= {
            cand up 'Start the daemon and show it working end to end'
            cand status 'Say whether the daemon runs, since when, and for how many sessions'
            cand stop 'Finish what is under way and end the daemon'
            cand restart 'Stop the daemon and start it again; editors notice nothing'
            cand call 'Call a tool as an agent would'
            cand undo 'Take back the newest change in this project'
            cand redo 'Bring back what was undone last'
            cand history 'List what was done, newest first'
            cand show 'Show one operation with what it changed'
            cand at 'Show a pack or a task as it was after an operation'
            cand log 'Print operations oldest first, and follow them'
            cand pack 'Work with context packs'
            cand doctor 'Check the installation and say what to do about each problem'
            cand gc 'Drop what retention allows to drop, and expired packs'
            cand stats 'Calls, latencies, commits and sizes since the daemon started'
            cand task 'Work with plans and tasks'
            cand deploy 'Deploy agent configuration to Codex, Claude Code, Cursor, VS Code and more'
            cand pkg 'Search, install and publish agent packages'
            cand mode 'Show the mode of every open session, or set one'
            cand confirm 'Answer what waits for a person''s confirmation'
            cand eco 'Work with ecosystems of git repositories'
            cand run 'Look at runs: long work that the daemon owns'
            cand policy 'Print what each mode allows'
            cand daemon 'Run the daemon in the foreground (supervisors do this)'
            cand watch 'Follow operations and audit records as they happen, one line each'
            cand setup 'Enter packd into editors and agents (MCP hosts), or take it out'
            cand service 'Run packd as a service of this user (systemd, launchd)'
            cand backup 'Copy the database into a file while packd runs'
            cand restore 'Put a backup in the place of the database'
            cand trash 'List what was taken away and is kept for 30 days, or drop it for good'
            cand repair 'Make a new database of what can be read of a damaged one'
            cand audit 'Export the audit stream with its digests, or verify them'
            cand export 'Write packs, tasks and both logs in open formats'
            cand completions 'Print a completion script for a shell'
            cand man 'Write the manual pages into a directory'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'packd;help;up'= {
        }
        &'packd;help;status'= {
        }
        &'packd;help;stop'= {
        }
        &'packd;help;restart'= {
        }
        &'packd;help;call'= {
        }
        &'packd;help;undo'= {
        }
        &'packd;help;redo'= {
        }
        &'packd;help;history'= {
        }
        &'packd;help;show'= {
        }
        &'packd;help;at'= {
        }
        &'packd;help;log'= {
        }
        &'packd;help;pack'= {
            cand list 'List packs'
            cand show 'Render a pack'
            cand export 'Write packs as Markdown files with YAML front matter'
            cand check 'Tell which refs still point to the code they were made of; exit code 1 while any does not'
            cand import 'Take in pack files'
        }
        &'packd;help;pack;list'= {
        }
        &'packd;help;pack;show'= {
        }
        &'packd;help;pack;export'= {
        }
        &'packd;help;pack;check'= {
        }
        &'packd;help;pack;import'= {
        }
        &'packd;help;doctor'= {
        }
        &'packd;help;gc'= {
        }
        &'packd;help;stats'= {
        }
        &'packd;help;task'= {
            cand list 'List plans with their tasks'
            cand show 'Show one task or plan with its steps (default: the focus)'
            cand tree 'The same as show'
            cand radar 'Now, why, verify, next: one screen'
            cand next 'The one next action, ready to paste'
            cand done 'Complete a step'
            cand note 'Add a note to a step'
            cand undo 'Take back the newest change to a task'
            cand import 'Take in a directory of task files, as one operation'
            cand export 'Write every plan and task as a file'
        }
        &'packd;help;task;list'= {
        }
        &'packd;help;task;show'= {
        }
        &'packd;help;task;tree'= {
        }
        &'packd;help;task;radar'= {
        }
        &'packd;help;task;next'= {
        }
        &'packd;help;task;done'= {
        }
        &'packd;help;task;note'= {
        }
        &'packd;help;task;undo'= {
        }
        &'packd;help;task;import'= {
        }
        &'packd;help;task;export'= {
        }
        &'packd;help;deploy'= {
            cand status 'What differs from what was deployed'
            cand diff 'What a deploy would change, line by line'
            cand doctor 'Check the config repository and the targets'
            cand snapshots 'What can be rolled back to'
            cand rollback 'Go back to a snapshot'
            cand evolve 'Bring changes made in place back into the config repository'
        }
        &'packd;help;deploy;status'= {
        }
        &'packd;help;deploy;diff'= {
        }
        &'packd;help;deploy;doctor'= {
        }
        &'packd;help;deploy;snapshots'= {
        }
        &'packd;help;deploy;rollback'= {
        }
        &'packd;help;deploy;evolve'= {
            cand propose 'Commit edited outputs as overlays on a branch of their own'
            cand restore 'Write missing outputs again'
        }
        &'packd;help;deploy;evolve;propose'= {
        }
        &'packd;help;deploy;evolve;restore'= {
        }
        &'packd;help;pkg'= {
            cand search 'Search the registries'
            cand list 'List what is installed'
            cand info 'Show one package'
            cand validate 'Check a package directory'
            cand install 'Install packages with what they depend on, as one operation'
            cand uninstall 'Remove a package and exactly the files it brought'
            cand publish 'Pack and publish the package of this project'
            cand create 'Make a package from what this project has'
            cand outdated 'What could be newer'
            cand upgrade 'Upgrade packages (default: all)'
            cand verify 'Compare installed files with their hashes'
            cand restore 'Install exactly what the lock file says'
            cand registry 'Registries'
            cand config 'Settings of the package manager'
            cand doctor 'Check packages, files and registries'
        }
        &'packd;help;pkg;search'= {
        }
        &'packd;help;pkg;list'= {
        }
        &'packd;help;pkg;info'= {
        }
        &'packd;help;pkg;validate'= {
        }
        &'packd;help;pkg;install'= {
        }
        &'packd;help;pkg;uninstall'= {
        }
        &'packd;help;pkg;publish'= {
        }
        &'packd;help;pkg;create'= {
        }
        &'packd;help;pkg;outdated'= {
        }
        &'packd;help;pkg;upgrade'= {
        }
        &'packd;help;pkg;verify'= {
        }
        &'packd;help;pkg;restore'= {
        }
        &'packd;help;pkg;registry'= {
            cand list 'List registries'
            cand add 'Add a registry'
        }
        &'packd;help;pkg;registry;list'= {
        }
        &'packd;help;pkg;registry;add'= {
        }
        &'packd;help;pkg;config'= {
            cand get 'Show settings'
            cand set 'Change one setting'
        }
        &'packd;help;pkg;config;get'= {
        }
        &'packd;help;pkg;config;set'= {
        }
        &'packd;help;pkg;doctor'= {
        }
        &'packd;help;mode'= {
        }
        &'packd;help;confirm'= {
        }
        &'packd;help;eco'= {
            cand list 'List ecosystems'
            cand status 'Branch, commit and state of every repository'
            cand describe 'What the manifest says'
            cand validate 'Check the manifest'
            cand install 'Clone the repositories and set up the workspace'
            cand sync 'Fetch and update every repository'
            cand push 'Push what is committed'
            cand archive 'Push everything, record it and remove the workspace'
            cand discard 'Remove the workspace without pushing'
            cand deploy 'Run the provisioner''s deploy'
            cand destroy 'Run the provisioner''s destroy'
            cand ticket 'Tickets: one branch over several repositories'
            cand release 'Releases'
        }
        &'packd;help;eco;list'= {
        }
        &'packd;help;eco;status'= {
        }
        &'packd;help;eco;describe'= {
        }
        &'packd;help;eco;validate'= {
        }
        &'packd;help;eco;install'= {
        }
        &'packd;help;eco;sync'= {
        }
        &'packd;help;eco;push'= {
        }
        &'packd;help;eco;archive'= {
        }
        &'packd;help;eco;discard'= {
        }
        &'packd;help;eco;deploy'= {
        }
        &'packd;help;eco;destroy'= {
        }
        &'packd;help;eco;ticket'= {
            cand list 'List tickets'
            cand start 'Start a ticket'
            cand switch 'Switch to a ticket (`main` = none)'
            cand end 'End a ticket'
        }
        &'packd;help;eco;ticket;list'= {
        }
        &'packd;help;eco;ticket;start'= {
        }
        &'packd;help;eco;ticket;switch'= {
        }
        &'packd;help;eco;ticket;end'= {
        }
        &'packd;help;eco;release'= {
            cand status 'The newest release and what came since'
            cand validate 'Check whether a release could be made'
            cand log 'The releases'
            cand bump 'Make the next version'
            cand promote 'Promote a pre-release'
        }
        &'packd;help;eco;release;status'= {
        }
        &'packd;help;eco;release;validate'= {
        }
        &'packd;help;eco;release;log'= {
        }
        &'packd;help;eco;release;bump'= {
        }
        &'packd;help;eco;release;promote'= {
        }
        &'packd;help;run'= {
            cand list 'List runs, newest first'
            cand status 'How a run is doing'
            cand logs 'What a run printed'
            cand cancel 'Stop a run and everything it started'
        }
        &'packd;help;run;list'= {
        }
        &'packd;help;run;status'= {
        }
        &'packd;help;run;logs'= {
        }
        &'packd;help;run;cancel'= {
        }
        &'packd;help;policy'= {
        }
        &'packd;help;daemon'= {
        }
        &'packd;help;watch'= {
        }
        &'packd;help;setup'= {
        }
        &'packd;help;service'= {
            cand install 'Write the units for this user and start the service'
            cand uninstall 'Stop the service and remove its units'
            cand status 'Say whether the service is installed and running'
            cand logs 'What the service logged'
        }
        &'packd;help;service;install'= {
        }
        &'packd;help;service;uninstall'= {
        }
        &'packd;help;service;status'= {
        }
        &'packd;help;service;logs'= {
        }
        &'packd;help;backup'= {
        }
        &'packd;help;restore'= {
        }
        &'packd;help;trash'= {
            cand empty 'Drop everything in the trash for good'
        }
        &'packd;help;trash;empty'= {
        }
        &'packd;help;repair'= {
        }
        &'packd;help;audit'= {
            cand export 'Write every audit record with its digest into a file, oldest first, one JSON object a line'
            cand verify 'Recompute the digests of an export, or of the running store'
        }
        &'packd;help;audit;export'= {
        }
        &'packd;help;audit;verify'= {
        }
        &'packd;help;export'= {
        }
        &'packd;help;completions'= {
        }
        &'packd;help;man'= {
        }
        &'packd;help;help'= {
        }
    ]
    $completions[$command]
}
