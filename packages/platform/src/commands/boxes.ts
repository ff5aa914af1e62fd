import {
  configOption,
  dateAndTime,
  defineCommand,
  printableJson,
  refuseOperands,
  table,
} from '@signalbox/platform-runtime/command-line'

/** Shows the platforms that share a database. */
export const boxes = defineCommand({
  name: 'boxes',
  summary: 'Show the platforms that share a database',
  usage: '[--config FILE] [--json]',
  details: `A line for each platform: its machine and process, since when it runs, how long ago it gave its last sign of life by
the clock of the database, and its addresses. After 15 seconds without a sign a platform is gone, and others take over
what it was working on.`,
  examples: [
    ['signalbox boxes', 'who is there'],
    ['signalbox boxes --json', 'one JSON object for each, with all times in milliseconds'],
  ],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each' } },
  async run({ config, json = false }, operands, terminal) {
    refuseOperands('boxes', operands)
    const { storage } = (await terminal.project(config)).settings
    if (storage === undefined)
      throw new Error(
        'This configuration keeps its data in files, which only one platform can use. Several platforms share a database: see the key `storage`.',
      )
    const engine = await storage({ clock: undefined, notice: terminal.printError })
    try {
      const platforms = (await engine.platforms?.()) ?? []
      if (json) for (const each of platforms) terminal.print(printableJson(each))
      else if (platforms.length === 0) terminal.print('No platform is running.')
      else
        terminal.print(
          table(
            ['PLATFORM', 'SINCE', 'LAST SIGN', 'ADDRESSES'],
            platforms.map(({ host, process, started, seen, isAlive, addresses }) => [
              `${host} (process ${process})`,
              dateAndTime(started),
              `${Math.round(seen / 1000)} s ago${isAlive ? '' : ', gone'}`,
              addresses.map(({ source, url }) => `${source} ${url}`).join(', ') || '-',
            ]),
            terminal.paint,
          ),
        )
    } finally {
      await engine.close()
    }
    return 0
  },
})
