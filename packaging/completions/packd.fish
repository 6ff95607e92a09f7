complete --keep-order --exclusive --command packd --arguments "(PACKD_COMPLETE=fish packd -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
