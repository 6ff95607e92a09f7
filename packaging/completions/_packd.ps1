
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'packd' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'packd'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'packd' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('up', 'up', [CompletionResultType]::ParameterValue, 'Start the daemon and show it working end to end')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the daemon runs, since when, and for how many sessions')
            [CompletionResult]::new('stop', 'stop', [CompletionResultType]::ParameterValue, 'Finish what is under way and end the daemon')
            [CompletionResult]::new('restart', 'restart', [CompletionResultType]::ParameterValue, 'Stop the daemon and start it again; editors notice nothing')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool as an agent would')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change in this project')
            [CompletionResult]::new('redo', 'redo', [CompletionResultType]::ParameterValue, 'Bring back what was undone last')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'List what was done, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one operation with what it changed')
            [CompletionResult]::new('at', 'at', [CompletionResultType]::ParameterValue, 'Show a pack or a task as it was after an operation')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Print operations oldest first, and follow them')
            [CompletionResult]::new('pack', 'pack', [CompletionResultType]::ParameterValue, 'Work with context packs')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the installation and say what to do about each problem')
            [CompletionResult]::new('gc', 'gc', [CompletionResultType]::ParameterValue, 'Drop what retention allows to drop, and expired packs')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Calls, latencies, commits and sizes since the daemon started')
            [CompletionResult]::new('task', 'task', [CompletionResultType]::ParameterValue, 'Work with plans and tasks')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Deploy agent configuration to Codex, Claude Code, Cursor, VS Code and more')
            [CompletionResult]::new('pkg', 'pkg', [CompletionResultType]::ParameterValue, 'Search, install and publish agent packages')
            [CompletionResult]::new('mode', 'mode', [CompletionResultType]::ParameterValue, 'Show the mode of every open session, or set one')
            [CompletionResult]::new('confirm', 'confirm', [CompletionResultType]::ParameterValue, 'Answer what waits for a person''s confirmation')
            [CompletionResult]::new('eco', 'eco', [CompletionResultType]::ParameterValue, 'Work with ecosystems of git repositories')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Look at runs: long work that the daemon owns')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Print what each mode allows')
            [CompletionResult]::new('daemon', 'daemon', [CompletionResultType]::ParameterValue, 'Run the daemon in the foreground (supervisors do this)')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Follow operations and audit records as they happen, one line each')
            [CompletionResult]::new('setup', 'setup', [CompletionResultType]::ParameterValue, 'Enter packd into editors and agents (MCP hosts), or take it out')
            [CompletionResult]::new('service', 'service', [CompletionResultType]::ParameterValue, 'Run packd as a service of this user (systemd, launchd)')
            [CompletionResult]::new('backup', 'backup', [CompletionResultType]::ParameterValue, 'Copy the database into a file while packd runs')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Put a backup in the place of the database')
            [CompletionResult]::new('trash', 'trash', [CompletionResultType]::ParameterValue, 'List what was taken away and is kept for 30 days, or drop it for good')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Make a new database of what can be read of a damaged one')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Export the audit stream with its digests, or verify them')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs, tasks and both logs in open formats')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;up' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;stop' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;restart' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;call' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;undo' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only what touched this pack, task or file')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Refuse unless this is the operation')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Also if it writes files')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Also if it writes files')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;redo' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only what touched this pack, task or file')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Refuse unless this is the operation')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Also if it writes files')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Also if it writes files')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;history' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'family')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'target')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'tool')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Only what changed this field, such as title or steps[STEP-1A2B0000].title')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--before', '--before', [CompletionResultType]::ParameterName, 'Only operations older than this one')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The audit stream: refusals, mode changes, confirmations')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;show' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--request', '--request', [CompletionResultType]::ParameterName, 'The id is the request key of a call whose reply was lost')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;at' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;log' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Start after this operation')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Keep printing as things happen')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Keep printing as things happen')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'audit')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List packs')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Render a pack')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs as Markdown files with YAML front matter')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Tell which refs still point to the code they were made of; exit code 1 while any does not')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in pack files')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pack;list' {
            [CompletionResult]::new('--query', '--query', [CompletionResultType]::ParameterName, 'query')
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'status')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;show' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;export' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Directory (default: print one pack)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;check' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Point refs whose code moved to where it is now')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;import' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List packs')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Render a pack')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs as Markdown files with YAML front matter')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Tell which refs still point to the code they were made of; exit code 1 while any does not')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in pack files')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pack;help;list' {
            break
        }
        'packd;pack;help;show' {
            break
        }
        'packd;pack;help;export' {
            break
        }
        'packd;pack;help;check' {
            break
        }
        'packd;pack;help;import' {
            break
        }
        'packd;pack;help;help' {
            break
        }
        'packd;doctor' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Repair what can be repaired without a decision of yours')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;gc' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'Shrink the database file, too, while packd runs')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;stats' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List plans with their tasks')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one task or plan with its steps (default: the focus)')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'The same as show')
            [CompletionResult]::new('radar', 'radar', [CompletionResultType]::ParameterValue, 'Now, why, verify, next: one screen')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'The one next action, ready to paste')
            [CompletionResult]::new('done', 'done', [CompletionResultType]::ParameterValue, 'Complete a step')
            [CompletionResult]::new('note', 'note', [CompletionResultType]::ParameterValue, 'Add a note to a step')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change to a task')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in a directory of task files, as one operation')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every plan and task as a file')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;task;list' {
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'TODO, ACTIVE or DONE')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;show' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;tree' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;radar' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;next' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;done' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Although checkpoints are open')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;note' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;undo' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;import' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only say what would happen')
            [CompletionResult]::new('--overwrite', '--overwrite', [CompletionResultType]::ParameterName, 'Replace tasks that exist')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;export' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List plans with their tasks')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one task or plan with its steps (default: the focus)')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'The same as show')
            [CompletionResult]::new('radar', 'radar', [CompletionResultType]::ParameterValue, 'Now, why, verify, next: one screen')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'The one next action, ready to paste')
            [CompletionResult]::new('done', 'done', [CompletionResultType]::ParameterValue, 'Complete a step')
            [CompletionResult]::new('note', 'note', [CompletionResultType]::ParameterValue, 'Add a note to a step')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change to a task')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in a directory of task files, as one operation')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every plan and task as a file')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;task;help;list' {
            break
        }
        'packd;task;help;show' {
            break
        }
        'packd;task;help;tree' {
            break
        }
        'packd;task;help;radar' {
            break
        }
        'packd;task;help;next' {
            break
        }
        'packd;task;help;done' {
            break
        }
        'packd;task;help;note' {
            break
        }
        'packd;task;help;undo' {
            break
        }
        'packd;task;help;import' {
            break
        }
        'packd;task;help;export' {
            break
        }
        'packd;task;help;help' {
            break
        }
        'packd;deploy' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--apply', '--apply', [CompletionResultType]::ParameterName, 'Write the planned files')
            [CompletionResult]::new('--adopt', '--adopt', [CompletionResultType]::ParameterName, 'Overwrite files that packd did not write')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'What differs from what was deployed')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'What a deploy would change, line by line')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the config repository and the targets')
            [CompletionResult]::new('snapshots', 'snapshots', [CompletionResultType]::ParameterValue, 'What can be rolled back to')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Go back to a snapshot')
            [CompletionResult]::new('evolve', 'evolve', [CompletionResultType]::ParameterValue, 'Bring changes made in place back into the config repository')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;deploy;status' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'missing, modified or extra; may be given several times')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;diff' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;doctor' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only this target')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;snapshots' {
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only those of this target')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;rollback' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;evolve' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Commit edited outputs as overlays on a branch of their own')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Write missing outputs again')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;deploy;evolve;propose' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--module', '--module', [CompletionResultType]::ParameterName, 'Only what comes from this module')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'The overlays to write into: global, machine or project')
            [CompletionResult]::new('--branch', '--branch', [CompletionResultType]::ParameterName, 'The name of the new branch')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;evolve;restore' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--module', '--module', [CompletionResultType]::ParameterName, 'Only what comes from this module')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;evolve;help' {
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Commit edited outputs as overlays on a branch of their own')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Write missing outputs again')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;deploy;evolve;help;propose' {
            break
        }
        'packd;deploy;evolve;help;restore' {
            break
        }
        'packd;deploy;evolve;help;help' {
            break
        }
        'packd;deploy;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'What differs from what was deployed')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'What a deploy would change, line by line')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the config repository and the targets')
            [CompletionResult]::new('snapshots', 'snapshots', [CompletionResultType]::ParameterValue, 'What can be rolled back to')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Go back to a snapshot')
            [CompletionResult]::new('evolve', 'evolve', [CompletionResultType]::ParameterValue, 'Bring changes made in place back into the config repository')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;deploy;help;status' {
            break
        }
        'packd;deploy;help;diff' {
            break
        }
        'packd;deploy;help;doctor' {
            break
        }
        'packd;deploy;help;snapshots' {
            break
        }
        'packd;deploy;help;rollback' {
            break
        }
        'packd;deploy;help;evolve' {
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Commit edited outputs as overlays on a branch of their own')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Write missing outputs again')
            break
        }
        'packd;deploy;help;evolve;propose' {
            break
        }
        'packd;deploy;help;evolve;restore' {
            break
        }
        'packd;deploy;help;help' {
            break
        }
        'packd;pkg' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search the registries')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what is installed')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Show one package')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check a package directory')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install packages with what they depend on, as one operation')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Remove a package and exactly the files it brought')
            [CompletionResult]::new('publish', 'publish', [CompletionResultType]::ParameterValue, 'Pack and publish the package of this project')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make a package from what this project has')
            [CompletionResult]::new('outdated', 'outdated', [CompletionResultType]::ParameterValue, 'What could be newer')
            [CompletionResult]::new('upgrade', 'upgrade', [CompletionResultType]::ParameterValue, 'Upgrade packages (default: all)')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare installed files with their hashes')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Install exactly what the lock file says')
            [CompletionResult]::new('registry', 'registry', [CompletionResultType]::ParameterValue, 'Registries')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Settings of the package manager')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check packages, files and registries')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pkg;search' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;info' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;validate' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;install' {
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'platform')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Also if it is installed already')
            [CompletionResult]::new('--no-deploy', '--no-deploy', [CompletionResultType]::ParameterName, 'Do not write into the platforms'' directories')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;uninstall' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;publish' {
            [CompletionResult]::new('--registry', '--registry', [CompletionResultType]::ParameterName, 'registry')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'tag')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;create' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'name')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'version')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;outdated' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;upgrade' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;verify' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;restore' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'force')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;registry' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List registries')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add a registry')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pkg;registry;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;registry;add' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--default', '--default', [CompletionResultType]::ParameterName, 'Use it where none is named')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;registry;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List registries')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add a registry')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pkg;registry;help;list' {
            break
        }
        'packd;pkg;registry;help;add' {
            break
        }
        'packd;pkg;registry;help;help' {
            break
        }
        'packd;pkg;config' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Show settings')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change one setting')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pkg;config;get' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;config;set' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;config;help' {
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Show settings')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change one setting')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pkg;config;help;get' {
            break
        }
        'packd;pkg;config;help;set' {
            break
        }
        'packd;pkg;config;help;help' {
            break
        }
        'packd;pkg;doctor' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;help' {
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search the registries')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what is installed')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Show one package')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check a package directory')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install packages with what they depend on, as one operation')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Remove a package and exactly the files it brought')
            [CompletionResult]::new('publish', 'publish', [CompletionResultType]::ParameterValue, 'Pack and publish the package of this project')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make a package from what this project has')
            [CompletionResult]::new('outdated', 'outdated', [CompletionResultType]::ParameterValue, 'What could be newer')
            [CompletionResult]::new('upgrade', 'upgrade', [CompletionResultType]::ParameterValue, 'Upgrade packages (default: all)')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare installed files with their hashes')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Install exactly what the lock file says')
            [CompletionResult]::new('registry', 'registry', [CompletionResultType]::ParameterValue, 'Registries')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Settings of the package manager')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check packages, files and registries')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;pkg;help;search' {
            break
        }
        'packd;pkg;help;list' {
            break
        }
        'packd;pkg;help;info' {
            break
        }
        'packd;pkg;help;validate' {
            break
        }
        'packd;pkg;help;install' {
            break
        }
        'packd;pkg;help;uninstall' {
            break
        }
        'packd;pkg;help;publish' {
            break
        }
        'packd;pkg;help;create' {
            break
        }
        'packd;pkg;help;outdated' {
            break
        }
        'packd;pkg;help;upgrade' {
            break
        }
        'packd;pkg;help;verify' {
            break
        }
        'packd;pkg;help;restore' {
            break
        }
        'packd;pkg;help;registry' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List registries')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add a registry')
            break
        }
        'packd;pkg;help;registry;list' {
            break
        }
        'packd;pkg;help;registry;add' {
            break
        }
        'packd;pkg;help;config' {
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Show settings')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change one setting')
            break
        }
        'packd;pkg;help;config;get' {
            break
        }
        'packd;pkg;help;config;set' {
            break
        }
        'packd;pkg;help;doctor' {
            break
        }
        'packd;pkg;help;help' {
            break
        }
        'packd;mode' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'The session, by the beginning of its id (default: the only one of this project)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;confirm' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Only show what waits')
            [CompletionResult]::new('--set-passphrase', '--set-passphrase', [CompletionResultType]::ParameterName, 'Set or change the passphrase that confirming then needs')
            [CompletionResult]::new('--remove-passphrase', '--remove-passphrase', [CompletionResultType]::ParameterName, 'Remove the passphrase')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List ecosystems')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Branch, commit and state of every repository')
            [CompletionResult]::new('describe', 'describe', [CompletionResultType]::ParameterValue, 'What the manifest says')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check the manifest')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Clone the repositories and set up the workspace')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Fetch and update every repository')
            [CompletionResult]::new('push', 'push', [CompletionResultType]::ParameterValue, 'Push what is committed')
            [CompletionResult]::new('archive', 'archive', [CompletionResultType]::ParameterValue, 'Push everything, record it and remove the workspace')
            [CompletionResult]::new('discard', 'discard', [CompletionResultType]::ParameterValue, 'Remove the workspace without pushing')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Run the provisioner''s deploy')
            [CompletionResult]::new('destroy', 'destroy', [CompletionResultType]::ParameterValue, 'Run the provisioner''s destroy')
            [CompletionResult]::new('ticket', 'ticket', [CompletionResultType]::ParameterValue, 'Tickets: one branch over several repositories')
            [CompletionResult]::new('release', 'release', [CompletionResultType]::ParameterValue, 'Releases')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;eco;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;describe' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;validate' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;install' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;sync' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;push' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;archive' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;discard' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Also if there is unpushed work')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;deploy' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;destroy' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List tickets')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Start a ticket')
            [CompletionResult]::new('switch', 'switch', [CompletionResultType]::ParameterValue, 'Switch to a ticket (`main` = none)')
            [CompletionResult]::new('end', 'end', [CompletionResultType]::ParameterValue, 'End a ticket')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;eco;ticket;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;start' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;switch' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;end' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List tickets')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Start a ticket')
            [CompletionResult]::new('switch', 'switch', [CompletionResultType]::ParameterValue, 'Switch to a ticket (`main` = none)')
            [CompletionResult]::new('end', 'end', [CompletionResultType]::ParameterValue, 'End a ticket')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;eco;ticket;help;list' {
            break
        }
        'packd;eco;ticket;help;start' {
            break
        }
        'packd;eco;ticket;help;switch' {
            break
        }
        'packd;eco;ticket;help;end' {
            break
        }
        'packd;eco;ticket;help;help' {
            break
        }
        'packd;eco;release' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The newest release and what came since')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check whether a release could be made')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'The releases')
            [CompletionResult]::new('bump', 'bump', [CompletionResultType]::ParameterValue, 'Make the next version')
            [CompletionResult]::new('promote', 'promote', [CompletionResultType]::ParameterValue, 'Promote a pre-release')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;eco;release;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;validate' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;log' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;bump' {
            [CompletionResult]::new('--pre-release', '--pre-release', [CompletionResultType]::ParameterName, 'alpha, beta or rc')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;promote' {
            [CompletionResult]::new('--stage', '--stage', [CompletionResultType]::ParameterName, 'beta or rc (default: stable)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The newest release and what came since')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check whether a release could be made')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'The releases')
            [CompletionResult]::new('bump', 'bump', [CompletionResultType]::ParameterValue, 'Make the next version')
            [CompletionResult]::new('promote', 'promote', [CompletionResultType]::ParameterValue, 'Promote a pre-release')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;eco;release;help;status' {
            break
        }
        'packd;eco;release;help;validate' {
            break
        }
        'packd;eco;release;help;log' {
            break
        }
        'packd;eco;release;help;bump' {
            break
        }
        'packd;eco;release;help;promote' {
            break
        }
        'packd;eco;release;help;help' {
            break
        }
        'packd;eco;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List ecosystems')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Branch, commit and state of every repository')
            [CompletionResult]::new('describe', 'describe', [CompletionResultType]::ParameterValue, 'What the manifest says')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check the manifest')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Clone the repositories and set up the workspace')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Fetch and update every repository')
            [CompletionResult]::new('push', 'push', [CompletionResultType]::ParameterValue, 'Push what is committed')
            [CompletionResult]::new('archive', 'archive', [CompletionResultType]::ParameterValue, 'Push everything, record it and remove the workspace')
            [CompletionResult]::new('discard', 'discard', [CompletionResultType]::ParameterValue, 'Remove the workspace without pushing')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Run the provisioner''s deploy')
            [CompletionResult]::new('destroy', 'destroy', [CompletionResultType]::ParameterValue, 'Run the provisioner''s destroy')
            [CompletionResult]::new('ticket', 'ticket', [CompletionResultType]::ParameterValue, 'Tickets: one branch over several repositories')
            [CompletionResult]::new('release', 'release', [CompletionResultType]::ParameterValue, 'Releases')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;eco;help;list' {
            break
        }
        'packd;eco;help;status' {
            break
        }
        'packd;eco;help;describe' {
            break
        }
        'packd;eco;help;validate' {
            break
        }
        'packd;eco;help;install' {
            break
        }
        'packd;eco;help;sync' {
            break
        }
        'packd;eco;help;push' {
            break
        }
        'packd;eco;help;archive' {
            break
        }
        'packd;eco;help;discard' {
            break
        }
        'packd;eco;help;deploy' {
            break
        }
        'packd;eco;help;destroy' {
            break
        }
        'packd;eco;help;ticket' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List tickets')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Start a ticket')
            [CompletionResult]::new('switch', 'switch', [CompletionResultType]::ParameterValue, 'Switch to a ticket (`main` = none)')
            [CompletionResult]::new('end', 'end', [CompletionResultType]::ParameterValue, 'End a ticket')
            break
        }
        'packd;eco;help;ticket;list' {
            break
        }
        'packd;eco;help;ticket;start' {
            break
        }
        'packd;eco;help;ticket;switch' {
            break
        }
        'packd;eco;help;ticket;end' {
            break
        }
        'packd;eco;help;release' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The newest release and what came since')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check whether a release could be made')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'The releases')
            [CompletionResult]::new('bump', 'bump', [CompletionResultType]::ParameterValue, 'Make the next version')
            [CompletionResult]::new('promote', 'promote', [CompletionResultType]::ParameterValue, 'Promote a pre-release')
            break
        }
        'packd;eco;help;release;status' {
            break
        }
        'packd;eco;help;release;validate' {
            break
        }
        'packd;eco;help;release;log' {
            break
        }
        'packd;eco;help;release;bump' {
            break
        }
        'packd;eco;help;release;promote' {
            break
        }
        'packd;eco;help;help' {
            break
        }
        'packd;run' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List runs, newest first')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'How a run is doing')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What a run printed')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a run and everything it started')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;run;list' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;logs' {
            [CompletionResult]::new('--tail', '--tail', [CompletionResultType]::ParameterName, 'tail')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'f')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'follow')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;cancel' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List runs, newest first')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'How a run is doing')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What a run printed')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a run and everything it started')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;run;help;list' {
            break
        }
        'packd;run;help;status' {
            break
        }
        'packd;run;help;logs' {
            break
        }
        'packd;run;help;cancel' {
            break
        }
        'packd;run;help;help' {
            break
        }
        'packd;policy' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;daemon' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;watch' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;setup' {
            [CompletionResult]::new('--toolsets', '--toolsets', [CompletionResultType]::ParameterName, 'Families to offer, separated by commas (default: all)')
            [CompletionResult]::new('--max-mode', '--max-mode', [CompletionResultType]::ParameterName, 'The highest mode agents may use there')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every host that is found here')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The project''s own file instead of the user''s')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change')
            [CompletionResult]::new('--read-only', '--read-only', [CompletionResultType]::ParameterName, 'Offer no tool that writes')
            [CompletionResult]::new('--allow-write', '--allow-write', [CompletionResultType]::ParameterName, 'Offer the package tools that write, too')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take packd out again')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Write the units for this user and start the service')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Stop the service and remove its units')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the service is installed and running')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What the service logged')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;service;install' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only print what would be written')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;uninstall' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;logs' {
            [CompletionResult]::new('--tail', '--tail', [CompletionResultType]::ParameterName, 'tail')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Keep printing')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Keep printing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;help' {
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Write the units for this user and start the service')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Stop the service and remove its units')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the service is installed and running')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What the service logged')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;service;help;install' {
            break
        }
        'packd;service;help;uninstall' {
            break
        }
        'packd;service;help;status' {
            break
        }
        'packd;service;help;logs' {
            break
        }
        'packd;service;help;help' {
            break
        }
        'packd;backup' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the file if it exists')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;restore' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;trash' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('empty', 'empty', [CompletionResultType]::ParameterValue, 'Drop everything in the trash for good')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;trash;empty' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;trash;help' {
            [CompletionResult]::new('empty', 'empty', [CompletionResultType]::ParameterValue, 'Drop everything in the trash for good')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;trash;help;empty' {
            break
        }
        'packd;trash;help;help' {
            break
        }
        'packd;repair' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;audit' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every audit record with its digest into a file, oldest first, one JSON object a line')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Recompute the digests of an export, or of the running store')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;audit;export' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the file if it exists')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;audit;verify' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Also verify the running store, and that it begins with exactly the records of the file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;audit;help' {
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every audit record with its digest into a file, oldest first, one JSON object a line')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Recompute the digests of an export, or of the running store')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;audit;help;export' {
            break
        }
        'packd;audit;help;verify' {
            break
        }
        'packd;audit;help;help' {
            break
        }
        'packd;export' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user (default: this project)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;completions' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;man' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;help' {
            [CompletionResult]::new('up', 'up', [CompletionResultType]::ParameterValue, 'Start the daemon and show it working end to end')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the daemon runs, since when, and for how many sessions')
            [CompletionResult]::new('stop', 'stop', [CompletionResultType]::ParameterValue, 'Finish what is under way and end the daemon')
            [CompletionResult]::new('restart', 'restart', [CompletionResultType]::ParameterValue, 'Stop the daemon and start it again; editors notice nothing')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool as an agent would')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change in this project')
            [CompletionResult]::new('redo', 'redo', [CompletionResultType]::ParameterValue, 'Bring back what was undone last')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'List what was done, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one operation with what it changed')
            [CompletionResult]::new('at', 'at', [CompletionResultType]::ParameterValue, 'Show a pack or a task as it was after an operation')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Print operations oldest first, and follow them')
            [CompletionResult]::new('pack', 'pack', [CompletionResultType]::ParameterValue, 'Work with context packs')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the installation and say what to do about each problem')
            [CompletionResult]::new('gc', 'gc', [CompletionResultType]::ParameterValue, 'Drop what retention allows to drop, and expired packs')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Calls, latencies, commits and sizes since the daemon started')
            [CompletionResult]::new('task', 'task', [CompletionResultType]::ParameterValue, 'Work with plans and tasks')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Deploy agent configuration to Codex, Claude Code, Cursor, VS Code and more')
            [CompletionResult]::new('pkg', 'pkg', [CompletionResultType]::ParameterValue, 'Search, install and publish agent packages')
            [CompletionResult]::new('mode', 'mode', [CompletionResultType]::ParameterValue, 'Show the mode of every open session, or set one')
            [CompletionResult]::new('confirm', 'confirm', [CompletionResultType]::ParameterValue, 'Answer what waits for a person''s confirmation')
            [CompletionResult]::new('eco', 'eco', [CompletionResultType]::ParameterValue, 'Work with ecosystems of git repositories')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Look at runs: long work that the daemon owns')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Print what each mode allows')
            [CompletionResult]::new('daemon', 'daemon', [CompletionResultType]::ParameterValue, 'Run the daemon in the foreground (supervisors do this)')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Follow operations and audit records as they happen, one line each')
            [CompletionResult]::new('setup', 'setup', [CompletionResultType]::ParameterValue, 'Enter packd into editors and agents (MCP hosts), or take it out')
            [CompletionResult]::new('service', 'service', [CompletionResultType]::ParameterValue, 'Run packd as a service of this user (systemd, launchd)')
            [CompletionResult]::new('backup', 'backup', [CompletionResultType]::ParameterValue, 'Copy the database into a file while packd runs')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Put a backup in the place of the database')
            [CompletionResult]::new('trash', 'trash', [CompletionResultType]::ParameterValue, 'List what was taken away and is kept for 30 days, or drop it for good')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Make a new database of what can be read of a damaged one')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Export the audit stream with its digests, or verify them')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs, tasks and both logs in open formats')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'packd;help;up' {
            break
        }
        'packd;help;status' {
            break
        }
        'packd;help;stop' {
            break
        }
        'packd;help;restart' {
            break
        }
        'packd;help;call' {
            break
        }
        'packd;help;undo' {
            break
        }
        'packd;help;redo' {
            break
        }
        'packd;help;history' {
            break
        }
        'packd;help;show' {
            break
        }
        'packd;help;at' {
            break
        }
        'packd;help;log' {
            break
        }
        'packd;help;pack' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List packs')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Render a pack')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs as Markdown files with YAML front matter')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Tell which refs still point to the code they were made of; exit code 1 while any does not')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in pack files')
            break
        }
        'packd;help;pack;list' {
            break
        }
        'packd;help;pack;show' {
            break
        }
        'packd;help;pack;export' {
            break
        }
        'packd;help;pack;check' {
            break
        }
        'packd;help;pack;import' {
            break
        }
        'packd;help;doctor' {
            break
        }
        'packd;help;gc' {
            break
        }
        'packd;help;stats' {
            break
        }
        'packd;help;task' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List plans with their tasks')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one task or plan with its steps (default: the focus)')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'The same as show')
            [CompletionResult]::new('radar', 'radar', [CompletionResultType]::ParameterValue, 'Now, why, verify, next: one screen')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'The one next action, ready to paste')
            [CompletionResult]::new('done', 'done', [CompletionResultType]::ParameterValue, 'Complete a step')
            [CompletionResult]::new('note', 'note', [CompletionResultType]::ParameterValue, 'Add a note to a step')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change to a task')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in a directory of task files, as one operation')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every plan and task as a file')
            break
        }
        'packd;help;task;list' {
            break
        }
        'packd;help;task;show' {
            break
        }
        'packd;help;task;tree' {
            break
        }
        'packd;help;task;radar' {
            break
        }
        'packd;help;task;next' {
            break
        }
        'packd;help;task;done' {
            break
        }
        'packd;help;task;note' {
            break
        }
        'packd;help;task;undo' {
            break
        }
        'packd;help;task;import' {
            break
        }
        'packd;help;task;export' {
            break
        }
        'packd;help;deploy' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'What differs from what was deployed')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'What a deploy would change, line by line')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the config repository and the targets')
            [CompletionResult]::new('snapshots', 'snapshots', [CompletionResultType]::ParameterValue, 'What can be rolled back to')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Go back to a snapshot')
            [CompletionResult]::new('evolve', 'evolve', [CompletionResultType]::ParameterValue, 'Bring changes made in place back into the config repository')
            break
        }
        'packd;help;deploy;status' {
            break
        }
        'packd;help;deploy;diff' {
            break
        }
        'packd;help;deploy;doctor' {
            break
        }
        'packd;help;deploy;snapshots' {
            break
        }
        'packd;help;deploy;rollback' {
            break
        }
        'packd;help;deploy;evolve' {
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Commit edited outputs as overlays on a branch of their own')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Write missing outputs again')
            break
        }
        'packd;help;deploy;evolve;propose' {
            break
        }
        'packd;help;deploy;evolve;restore' {
            break
        }
        'packd;help;pkg' {
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search the registries')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what is installed')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Show one package')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check a package directory')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install packages with what they depend on, as one operation')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Remove a package and exactly the files it brought')
            [CompletionResult]::new('publish', 'publish', [CompletionResultType]::ParameterValue, 'Pack and publish the package of this project')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make a package from what this project has')
            [CompletionResult]::new('outdated', 'outdated', [CompletionResultType]::ParameterValue, 'What could be newer')
            [CompletionResult]::new('upgrade', 'upgrade', [CompletionResultType]::ParameterValue, 'Upgrade packages (default: all)')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare installed files with their hashes')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Install exactly what the lock file says')
            [CompletionResult]::new('registry', 'registry', [CompletionResultType]::ParameterValue, 'Registries')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Settings of the package manager')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check packages, files and registries')
            break
        }
        'packd;help;pkg;search' {
            break
        }
        'packd;help;pkg;list' {
            break
        }
        'packd;help;pkg;info' {
            break
        }
        'packd;help;pkg;validate' {
            break
        }
        'packd;help;pkg;install' {
            break
        }
        'packd;help;pkg;uninstall' {
            break
        }
        'packd;help;pkg;publish' {
            break
        }
        'packd;help;pkg;create' {
            break
        }
        'packd;help;pkg;outdated' {
            break
        }
        'packd;help;pkg;upgrade' {
            break
        }
        'packd;help;pkg;verify' {
            break
        }
        'packd;help;pkg;restore' {
            break
        }
        'packd;help;pkg;registry' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List registries')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add a registry')
            break
        }
        'packd;help;pkg;registry;list' {
            break
        }
        'packd;help;pkg;registry;add' {
            break
        }
        'packd;help;pkg;config' {
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Show settings')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change one setting')
            break
        }
        'packd;help;pkg;config;get' {
            break
        }
        'packd;help;pkg;config;set' {
            break
        }
        'packd;help;pkg;doctor' {
            break
        }
        'packd;help;mode' {
            break
        }
        'packd;help;confirm' {
            break
        }
        'packd;help;eco' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List ecosystems')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Branch, commit and state of every repository')
            [CompletionResult]::new('describe', 'describe', [CompletionResultType]::ParameterValue, 'What the manifest says')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check the manifest')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Clone the repositories and set up the workspace')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Fetch and update every repository')
            [CompletionResult]::new('push', 'push', [CompletionResultType]::ParameterValue, 'Push what is committed')
            [CompletionResult]::new('archive', 'archive', [CompletionResultType]::ParameterValue, 'Push everything, record it and remove the workspace')
            [CompletionResult]::new('discard', 'discard', [CompletionResultType]::ParameterValue, 'Remove the workspace without pushing')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Run the provisioner''s deploy')
            [CompletionResult]::new('destroy', 'destroy', [CompletionResultType]::ParameterValue, 'Run the provisioner''s destroy')
            [CompletionResult]::new('ticket', 'ticket', [CompletionResultType]::ParameterValue, 'Tickets: one branch over several repositories')
            [CompletionResult]::new('release', 'release', [CompletionResultType]::ParameterValue, 'Releases')
            break
        }
        'packd;help;eco;list' {
            break
        }
        'packd;help;eco;status' {
            break
        }
        'packd;help;eco;describe' {
            break
        }
        'packd;help;eco;validate' {
            break
        }
        'packd;help;eco;install' {
            break
        }
        'packd;help;eco;sync' {
            break
        }
        'packd;help;eco;push' {
            break
        }
        'packd;help;eco;archive' {
            break
        }
        'packd;help;eco;discard' {
            break
        }
        'packd;help;eco;deploy' {
            break
        }
        'packd;help;eco;destroy' {
            break
        }
        'packd;help;eco;ticket' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List tickets')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Start a ticket')
            [CompletionResult]::new('switch', 'switch', [CompletionResultType]::ParameterValue, 'Switch to a ticket (`main` = none)')
            [CompletionResult]::new('end', 'end', [CompletionResultType]::ParameterValue, 'End a ticket')
            break
        }
        'packd;help;eco;ticket;list' {
            break
        }
        'packd;help;eco;ticket;start' {
            break
        }
        'packd;help;eco;ticket;switch' {
            break
        }
        'packd;help;eco;ticket;end' {
            break
        }
        'packd;help;eco;release' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The newest release and what came since')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check whether a release could be made')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'The releases')
            [CompletionResult]::new('bump', 'bump', [CompletionResultType]::ParameterValue, 'Make the next version')
            [CompletionResult]::new('promote', 'promote', [CompletionResultType]::ParameterValue, 'Promote a pre-release')
            break
        }
        'packd;help;eco;release;status' {
            break
        }
        'packd;help;eco;release;validate' {
            break
        }
        'packd;help;eco;release;log' {
            break
        }
        'packd;help;eco;release;bump' {
            break
        }
        'packd;help;eco;release;promote' {
            break
        }
        'packd;help;run' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List runs, newest first')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'How a run is doing')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What a run printed')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a run and everything it started')
            break
        }
        'packd;help;run;list' {
            break
        }
        'packd;help;run;status' {
            break
        }
        'packd;help;run;logs' {
            break
        }
        'packd;help;run;cancel' {
            break
        }
        'packd;help;policy' {
            break
        }
        'packd;help;daemon' {
            break
        }
        'packd;help;watch' {
            break
        }
        'packd;help;setup' {
            break
        }
        'packd;help;service' {
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Write the units for this user and start the service')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Stop the service and remove its units')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the service is installed and running')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What the service logged')
            break
        }
        'packd;help;service;install' {
            break
        }
        'packd;help;service;uninstall' {
            break
        }
        'packd;help;service;status' {
            break
        }
        'packd;help;service;logs' {
            break
        }
        'packd;help;backup' {
            break
        }
        'packd;help;restore' {
            break
        }
        'packd;help;trash' {
            [CompletionResult]::new('empty', 'empty', [CompletionResultType]::ParameterValue, 'Drop everything in the trash for good')
            break
        }
        'packd;help;trash;empty' {
            break
        }
        'packd;help;repair' {
            break
        }
        'packd;help;audit' {
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every audit record with its digest into a file, oldest first, one JSON object a line')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Recompute the digests of an export, or of the running store')
            break
        }
        'packd;help;audit;export' {
            break
        }
        'packd;help;audit;verify' {
            break
        }
        'packd;help;export' {
            break
        }
        'packd;help;completions' {
            break
        }
        'packd;help;man' {
            break
        }
        'packd;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
