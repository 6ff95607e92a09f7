
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
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('up', 'up', [CompletionResultType]::ParameterValue, 'Start the daemon and show it working end to end')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the daemon runs, since when, and for how many sessions')
            [CompletionResult]::new('stop', 'stop', [CompletionResultType]::ParameterValue, 'Finish what is under way and end the daemon')
            [CompletionResult]::new('restart', 'restart', [CompletionResultType]::ParameterValue, 'Stop the daemon and start it again; editors notice nothing')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool as an agent would')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'List the tools agents see, or print one with an example to copy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Explain a command, or a topic: undo, modes, workspaces, hosts')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change in this project')
            [CompletionResult]::new('redo', 'redo', [CompletionResultType]::ParameterValue, 'Bring back what was undone last')
            [CompletionResult]::new('revert', 'revert', [CompletionResultType]::ParameterValue, 'Take back one operation, wherever it stands in the history')
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
            [CompletionResult]::new('workspace', 'workspace', [CompletionResultType]::ParameterValue, 'The projects packd knows, and whether their directories are there')
            [CompletionResult]::new('service', 'service', [CompletionResultType]::ParameterValue, 'Run packd as a service of this user (systemd, launchd)')
            [CompletionResult]::new('backup', 'backup', [CompletionResultType]::ParameterValue, 'Copy the database into a file while packd runs')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Put a backup in the place of the database')
            [CompletionResult]::new('trash', 'trash', [CompletionResultType]::ParameterValue, 'List what was taken away and is kept for 30 days, or drop it for good')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Make a new database of what can be read of a damaged one')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Export the audit stream with its digests, or verify them')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs, tasks and both logs in open formats')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages into a directory')
            break
        }
        'packd;up' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;stop' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;restart' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;call' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--example', '--example', [CompletionResultType]::ParameterName, 'Print an example of its arguments instead of calling it')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;tools' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only one family')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;help' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;undo' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only what touched this pack, task or file')
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'Everything this client did, as one operation (with --since: from then on)')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Everything this session did, as one operation')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'With --by or --session: 90s, 15m, 1h, 2d, a date or an ISO time')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Refuse unless this is the operation')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask, also if it writes files')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, also if it writes files')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;redo' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only what touched this pack, task or file')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Refuse unless this is the operation')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask, also if it writes files')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, also if it writes files')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;revert' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;history' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Only one family (packs, tasks, deploy, packages, ecosystems, hosts)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only what touched this pack, task or file')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'Only what this tool did')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Only what changed this field, such as title or steps[STEP-1A2B0000].title')
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'Only what this client did; `you` is this command line')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Only what this session did, by any part of its id that is enough')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only what is not older: 90s, 15m, 1h, 2d, a date or an ISO time')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'How many at most')
            [CompletionResult]::new('--before', '--before', [CompletionResultType]::ParameterName, 'Only operations older than this one')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The audit stream: refusals, mode changes, confirmations')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;show' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--request', '--request', [CompletionResultType]::ParameterName, 'The id is the request key of a call whose reply was lost')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;at' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;log' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Start after this operation')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Keep printing as things happen')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Keep printing as things happen')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'audit')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Make a pack')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add code to a pack: lines of a file, or a definition by its name')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change a pack as Markdown in $EDITOR')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List packs')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Render a pack')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write packs as Markdown files with YAML front matter')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Tell which refs still point to the code they were made of; exit code 1 while any does not')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in pack files')
            break
        }
        'packd;pack;new' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'A name to call it by')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'What it is for, in a sentence')
            [CompletionResult]::new('--days', '--days', [CompletionResultType]::ParameterName, 'After how many days it may be dropped')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;add' {
            [CompletionResult]::new('--symbol', '--symbol', [CompletionResultType]::ParameterName, 'A definition in the file (function, type, …)')
            [CompletionResult]::new('--section', '--section', [CompletionResultType]::ParameterName, 'The section it goes into')
            [CompletionResult]::new('--why', '--why', [CompletionResultType]::ParameterName, 'Why it is there')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;edit' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;list' {
            [CompletionResult]::new('--query', '--query', [CompletionResultType]::ParameterName, 'query')
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'status')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;show' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;export' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Directory (default: print one pack)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;check' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Point refs whose code moved to where it is now')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pack;import' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;doctor' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Repair what can be repaired without a decision of yours')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;gc' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'Shrink the database file, too, while packd runs')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;stats' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Make a task, and a plan for it where there is none')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Begin to work on a task: it becomes active and the focus')
            [CompletionResult]::new('step', 'step', [CompletionResultType]::ParameterValue, 'Add a step to a task')
            [CompletionResult]::new('close', 'close', [CompletionResultType]::ParameterValue, 'Confirm what is open and close a step, or the whole task')
            [CompletionResult]::new('focus', 'focus', [CompletionResultType]::ParameterValue, 'Say which task is meant where none is named, or show it')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change a task or plan in $EDITOR')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List plans with their tasks')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one task or plan with its steps (default: the focus)')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'The same as show; a plan with its tasks')
            [CompletionResult]::new('radar', 'radar', [CompletionResultType]::ParameterValue, 'Now, why, verify, next: one screen')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'The one next action, ready to paste')
            [CompletionResult]::new('done', 'done', [CompletionResultType]::ParameterValue, 'Complete a step')
            [CompletionResult]::new('note', 'note', [CompletionResultType]::ParameterValue, 'Add a note to a step')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the newest change to a task')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in a directory of task files, as one operation')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every plan and task as a file')
            break
        }
        'packd;task;add' {
            [CompletionResult]::new('--plan', '--plan', [CompletionResultType]::ParameterName, 'The plan it belongs to (default: the focused or only open one)')
            [CompletionResult]::new('--step', '--step', [CompletionResultType]::ParameterName, 'A step of it; may be given several times')
            [CompletionResult]::new('--test', '--test', [CompletionResultType]::ParameterName, 'The command that tells whether the steps are done')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;start' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;step' {
            [CompletionResult]::new('--test', '--test', [CompletionResultType]::ParameterName, 'The command that tells whether it is done')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;close' {
            [CompletionResult]::new('--note', '--note', [CompletionResultType]::ParameterName, 'What was done')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Although something is open')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;focus' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--clear', '--clear', [CompletionResultType]::ParameterName, 'Focus on nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;edit' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;list' {
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'TODO, ACTIVE or DONE')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;show' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;tree' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;radar' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;next' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;done' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Although checkpoints are open')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;note' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;undo' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;import' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only say what would happen')
            [CompletionResult]::new('--overwrite', '--overwrite', [CompletionResultType]::ParameterName, 'Replace tasks that exist')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;task;export' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--apply', '--apply', [CompletionResultType]::ParameterName, 'Write the planned files')
            [CompletionResult]::new('--adopt', '--adopt', [CompletionResultType]::ParameterName, 'Overwrite files that packd did not write')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write a config repository that works, with comments')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'What differs from what was deployed')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'What a deploy would change, line by line')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the config repository and the targets')
            [CompletionResult]::new('snapshots', 'snapshots', [CompletionResultType]::ParameterValue, 'What can be rolled back to')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Go back to a snapshot')
            [CompletionResult]::new('evolve', 'evolve', [CompletionResultType]::ParameterValue, 'Bring changes made in place back into the config repository')
            break
        }
        'packd;deploy;init' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'Where (default: $AGENTPACK_HOME/repo, where `packd deploy` looks)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;status' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The profile of agentpack.yaml that selects modules')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'codex, claude_code, cursor, vscode, jetbrains, zed or all')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'The machine whose overlays apply (default: this one)')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'missing, modified or extra; may be given several times')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
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
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;doctor' {
            [CompletionResult]::new('--repo', '--repo', [CompletionResultType]::ParameterName, 'The config repository (default: $AGENTPACK_HOME/repo)')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only this target')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;snapshots' {
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'Only those of this target')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;rollback' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;deploy;evolve' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Commit edited outputs as overlays on a branch of their own')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Write missing outputs again')
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
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
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
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it; without this only a preview is shown')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Make this project ready for packages and write an aam.yaml, with comments')
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
        'packd;pkg;init' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of the package (default: that of the directory)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;search' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;info' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;validate' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;install' {
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'platform')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Also if it is installed already')
            [CompletionResult]::new('--no-deploy', '--no-deploy', [CompletionResultType]::ParameterName, 'Do not write into the platforms'' directories')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;uninstall' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;publish' {
            [CompletionResult]::new('--registry', '--registry', [CompletionResultType]::ParameterName, 'registry')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'tag')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;create' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'name')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'version')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;outdated' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;upgrade' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;verify' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;restore' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'force')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;registry' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List registries')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add a registry')
            break
        }
        'packd;pkg;registry;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;registry;add' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--default', '--default', [CompletionResultType]::ParameterName, 'Use it where none is named')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;config' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Show settings')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change one setting')
            break
        }
        'packd;pkg;config;get' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;config;set' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;pkg;doctor' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;mode' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'The session, by the beginning of its id (default: the only one of this project)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;confirm' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Only show what waits')
            [CompletionResult]::new('--set-passphrase', '--set-passphrase', [CompletionResultType]::ParameterName, 'Set or change the passphrase that confirming then needs')
            [CompletionResult]::new('--remove-passphrase', '--remove-passphrase', [CompletionResultType]::ParameterName, 'Remove the passphrase')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write the manifest of a new ecosystem, with comments')
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
        'packd;eco;init' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;describe' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;validate' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;install' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;sync' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;push' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;archive' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;discard' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Also if there is unpushed work')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;deploy' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;destroy' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List tickets')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Start a ticket')
            [CompletionResult]::new('switch', 'switch', [CompletionResultType]::ParameterValue, 'Switch to a ticket (`main` = none)')
            [CompletionResult]::new('end', 'end', [CompletionResultType]::ParameterValue, 'End a ticket')
            break
        }
        'packd;eco;ticket;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;start' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;switch' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;ticket;end' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The newest release and what came since')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check whether a release could be made')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'The releases')
            [CompletionResult]::new('bump', 'bump', [CompletionResultType]::ParameterValue, 'Make the next version')
            [CompletionResult]::new('promote', 'promote', [CompletionResultType]::ParameterValue, 'Promote a pre-release')
            break
        }
        'packd;eco;release;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;validate' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;log' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;bump' {
            [CompletionResult]::new('--pre-release', '--pre-release', [CompletionResultType]::ParameterName, 'alpha, beta or rc')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;eco;release;promote' {
            [CompletionResult]::new('--stage', '--stage', [CompletionResultType]::ParameterName, 'beta or rc (default: stable)')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask (where a name must be typed, it is always asked)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List runs, newest first')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'How a run is doing')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What a run printed')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a run and everything it started')
            break
        }
        'packd;run;list' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'limit')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;logs' {
            [CompletionResult]::new('--tail', '--tail', [CompletionResultType]::ParameterName, 'How many lines from its end')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Keep printing until it ends')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Keep printing until it ends')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;run;cancel' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;policy' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;daemon' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;watch' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;setup' {
            [CompletionResult]::new('--toolsets', '--toolsets', [CompletionResultType]::ParameterName, 'Families to offer, separated by commas (default: all)')
            [CompletionResult]::new('--max-mode', '--max-mode', [CompletionResultType]::ParameterName, 'The highest mode agents may use there')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every host that is found here')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The project''s own file instead of the user''s')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change')
            [CompletionResult]::new('--read-only', '--read-only', [CompletionResultType]::ParameterName, 'Offer no tool that writes')
            [CompletionResult]::new('--allow-write', '--allow-write', [CompletionResultType]::ParameterName, 'Offer the package tools that write, too')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take packd out again')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;workspace' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the projects packd knows, and whether their directories are there')
            break
        }
        'packd;workspace;list' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Write the units for this user and start the service')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Stop the service and remove its units')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the service is installed and running')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'What the service logged')
            break
        }
        'packd;service;install' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only print what would be written')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;uninstall' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;status' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;service;logs' {
            [CompletionResult]::new('--tail', '--tail', [CompletionResultType]::ParameterName, 'tail')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Keep printing')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Keep printing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;backup' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the file if it exists')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;restore' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;trash' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('empty', 'empty', [CompletionResultType]::ParameterValue, 'Drop everything in the trash for good')
            break
        }
        'packd;trash;empty' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;repair' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;audit' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write every audit record with its digest into a file, oldest first, one JSON object a line')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Recompute the digests of an export, or of the running store')
            break
        }
        'packd;audit;export' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the file if it exists')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;audit;verify' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Also verify the running store, and that it begins with exactly the records of the file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;export' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every project of this user (default: this project)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;completions' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'packd;man' {
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'The project directory (default: the git top level of this directory)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('--absolute', '--absolute', [CompletionResultType]::ParameterName, 'Times as the clock of this place shows them')
            [CompletionResult]::new('--utc', '--utc', [CompletionResultType]::ParameterName, 'Times in UTC')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not show long answers in a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
