
set edit:completion:arg-completer[packd] = { |@words|
    var index = (count $words)
    set index = (- $index 1)

    put (env _CLAP_IFS="\n" _CLAP_COMPLETE_INDEX=(to-string $index) PACKD_COMPLETE="elvish" packd -- $@words) | to-lines
}

