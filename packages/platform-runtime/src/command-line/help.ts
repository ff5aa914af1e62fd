import type { Command } from './command.ts'

/** Returns the help text for one command. */
export function commandHelp(command: Command): string {
  const rows = Object.entries(command.options).map(([name, { short, value, help }]) => [
    `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
  const parts = [
    `${command.summary}\n\nUsage: signalbox ${command.name} ${command.usage}`.trimEnd(),
    ...(command.details === undefined ? [] : [command.details]),
    `Options:\n${table([...rows, ['-h, --help', 'show this page']])}`,
    `Examples:\n${command.examples.map(([line, does]) => `  ${line}\n      ${does}`).join('\n')}`,
  ]
  return parts.join('\n\n')
}

/** Returns the overview of all commands. */
export function overview(commands: readonly Command[]): string {
  return [
    'Signalbox: runs functions as the platform that calls them would.',
    'Usage: signalbox COMMAND [ARGUMENTS]',
    `Commands:\n${table(commands.map(({ name, summary }) => [name, summary]))}`,
    'Exit codes: 0 success; 1 done, with a negative result; 2 failure; 130 stopped by the user.',
    'More about a command: signalbox COMMAND --help',
  ].join('\n\n')
}

function table(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}
