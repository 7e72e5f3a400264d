/**
 * The script for bash. The library's own needs the package bash-completion, cannot be read twice in one shell, and
 * evaluates the words of the line, so that Tab would run a `$(…)` that stands there.
 */
export const BASH_SCRIPT = `# bash completion for readback
_readback_completions() {
  local i n=0 glue=0 word line words=()
  # bash splits words at = and at colons; here they are whole again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $n -gt 0 && ( $glue = 1 || $word = [=:]* ) ]]; then words[n-1]+=$word; else words[n++]=$word; fi
    if [[ $word = *[=:] ]]; then glue=1; else glue=0; fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :4) compopt +o default 2>/dev/null ;;
      :*) ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(readback completions complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _readback_completions readback`;
