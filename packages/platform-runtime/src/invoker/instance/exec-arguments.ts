// Flags of the platform's own process that would be wrong in another: debuggers and test runners, what is run
// instead of a file, and what limits its memory.
const own = /^--?(?:inspect|max-|watch|test|eval|print|e$|p$|pe$|input-type|env-file|cpu-prof|heap-prof)/

/**
 * The flags of Node for an instance: those of this process, so that its import conditions and loaders hold there
 * too, and a limit for the heap in MB.
 * @param url the module that asks; when it is source, everything of ours has to be
 */
export function execArguments(flags: readonly string[], url: string, heapLimit: number): string[] {
  const passed: string[] = []
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!
    const next = flags[i + 1]
    const takesNext = !flag.includes('=') && next !== undefined && !next.startsWith('-')
    if (!own.test(flag)) passed.push(flag, ...(takesNext ? [next] : []))
    if (takesNext) i++
  }
  const source = '--conditions=@signalbox/source'
  if (url.endsWith('.ts') && !passed.includes(source)) passed.push(source)
  return [...passed, '--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapLimit}`]
}
