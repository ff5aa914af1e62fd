import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { run } from '@signalbox/platform-runtime/command-line'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commandsIn } from '../testing/page-commands.ts'
import { allCommands, commands } from './all.ts'

const root = join(import.meta.dirname, '../../../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).sort()
const written = pages.flatMap(page =>
  commandsIn(readFileSync(join(root, page), 'utf8')).map(words => ({ page, words })),
)

it.each(written)('$page: signalbox $words is a command with these options', async ({ words }) => {
  const captured = captureTerminal(root)
  const exitCode = await run([...words, '--help'], commands, '1', captured.terminal, allCommands)
  expect([exitCode, captured.printedErrors]).toEqual([0, ''])
})

it('finds the commands in blocks of shell, whatever stands around them', () => {
  const page = [
    ...['signalbox outside', '```sh', 'npx signalbox send orders \'{"a": 1}\' # sends', 'npm test'],
    ...['cdk synth && A=b npx signalbox dev \\', '  --template cdk.out > out.txt', '```'],
    ...['```ts', 'npx signalbox no', '```', '```sh', 'npx @signalbox/platform init shop | tee log', '```'],
  ].join('\n')
  expect(commandsIn(page)).toEqual([
    ['send', 'orders', '{"a": 1}'],
    ['dev', '--template', 'cdk.out'],
    ['init', 'shop'],
  ])
  expect(written.length).toBeGreaterThan(30)
})

it('fails for a command, and for an option, that do not exist', async () => {
  for (const words of [
    ['sned', 'orders'],
    ['send', '--gruop', 'a', 'orders', 'b'],
    ['mail', 'snd'],
  ]) {
    const captured = captureTerminal(root)
    expect(await run([...words, '--help'], commands, '1', captured.terminal, allCommands)).toBe(2)
  }
})
