// Node flags that are not passed on to an instance: flags for debuggers, test runners, code to run instead of a file,
// and memory limits.
const own = /^--?(?:inspect|max-|watch|test|eval|print|e$|p$|pe$|input-type|env-file|cpu-prof|heap-prof)/

/**
 * Returns the Node flags for an instance. They are the flags of this process, so that the same import conditions and
 * loaders apply, and a heap limit in MB.
 * @param url the program of the instance. If it is TypeScript source, the instance runs everything from source.
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
