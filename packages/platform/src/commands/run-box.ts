import { existsSync } from 'node:fs'
import type { CommandContext, ExitCode } from '@signalbox/platform-runtime/command-line'
import { printableJson } from '@signalbox/platform-runtime/command-line'
import { invocationLine } from './invocation-line.ts'

/** Runs a platform until the terminal says stop: what `dev` and `start` have in common. */
export async function runBox(
  {
    config: given,
    json = false,
    watch,
  }: { readonly config?: string; readonly json?: boolean; readonly watch: boolean },
  terminal: CommandContext,
): Promise<ExitCode> {
  const { print, paint } = terminal
  const say = (kind: string, text: string, rest: object = {}) =>
    print(json ? printableJson({ kind, text, ...rest }) : text)
  // What functions say to people who are looking is for those who write them.
  if (watch) process.env.NODE_ENV ??= 'development'
  const project = await terminal.project(given)
  const families = await terminal.families()
  const { file, root } = project
  const platform = project.platform({
    onInvocation: entry =>
      print(json ? printableJson({ kind: 'invocation', ...entry }) : invocationLine(entry, families, paint)),
    onNotice: text => say('notice', text),
  })
  const addresses = await platform.start()
  for (const { source, url } of addresses) say('address', `${source}: ${paint('bold', url)}`, { source, url })
  if (addresses.length === 0)
    say('notice', 'There are no sources: functions run only with: signalbox invoke.')

  const { settings } = platform
  if (watch)
    for (const folder of settings.watch)
      if (!existsSync(folder)) say('notice', `There is no folder ${folder} to watch.`)
  const watcher = watch
    ? await (await import('../watch/watch-files.ts')).watchFiles(
        [root, ...settings.watch],
        settings.dataDir,
        changed => {
          if (changed.includes(file))
            say('notice', `${file} has changed. That takes effect when signalbox is started again.`)
          platform.reload()
          const code = changed.filter(each => each !== file)
          if (code.length > 0) say('reload', paint('dim', `New code: ${code.join(', ')}`), { files: code })
        },
      )
    : undefined
  if (watcher) say('ready', paint('dim', 'Watching for changes. Ctrl-C ends.'))
  else say('ready', paint('dim', 'Running. Ctrl-C ends.'))

  // Without sources nothing else keeps the process.
  const presence = setInterval(() => {}, 2 ** 30)
  await new Promise<void>(resolve => {
    if (terminal.stop.aborted) resolve()
    else terminal.stop.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(presence)
  say('stopping', paint('dim', 'Stopping: what runs may finish. A second signal ends it at once.'))
  await watcher?.close()
  await platform.stop()
  return 0
}
