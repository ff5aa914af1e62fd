import type { CommandIn } from './command.ts'
import type { Paint } from './paint.ts'

/** The heading of commands that are about nothing in particular. */
const other = 'Commands'

type Listed = Pick<CommandIn<never>, 'name' | 'summary' | 'subject'>

/**
 * Returns the help text for one command.
 * @param following the commands whose names begin with the name of this one
 */
export function commandHelp(command: CommandIn<never>, following: readonly Listed[], paint: Paint): string {
  const rows = Object.entries(command.options).map(([name, { short, value, help }]) => [
    `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
  const title = (text: string) => paint('bold', `${text}:`)
  const parts = [
    `${command.summary}\n\n${title('Usage')} signalbox ${command.name} ${command.usage}`.trimEnd(),
    ...(command.details === undefined ? [] : [command.details]),
    `${title('Options')}\n${list([...rows, ['-h, --help', 'show this page']])}`,
    ...(following.length === 0 ? [] : [`${title('Related commands')}\n${list(namesOf(following))}`]),
    `${title('Examples')}\n${command.examples.map(([line, does]) => `  ${line}\n      ${does}`).join('\n')}`,
  ]
  return parts.join('\n\n')
}

/** Returns the help text for the commands that begin with the same word, which is no command itself. */
export function groupHelp(word: string, commands: readonly Listed[], paint: Paint): string {
  return [
    `The commands that begin with ${word}.`,
    `${paint('bold', 'Usage:')} signalbox ${word} COMMAND [ARGUMENTS]`,
    `${paint('bold', 'Commands:')}\n${list(namesOf(commands))}`,
    `More about a command: signalbox ${word} COMMAND --help`,
  ].join('\n\n')
}

/** Returns the overview of all commands, in groups by what they are about. */
export function overview(commands: readonly Listed[], paint: Paint): string {
  const width = widthOf(namesOf(commands))
  const subjects = new Set(commands.map(({ subject = other }) => subject))
  return [
    'Signalbox: runs functions as the platform that calls them would.',
    `${paint('bold', 'Usage:')} signalbox COMMAND [ARGUMENTS]`,
    ...[...subjects].map(about => {
      const each = commands.filter(({ subject = other }) => subject === about)
      return `${paint('bold', `${about}:`)}\n${list(namesOf(each), width)}`
    }),
    'Exit codes: 0 success; 1 done, with a negative result; 2 failure; 130 stopped by the user.',
    'More about a command: signalbox COMMAND --help',
  ].join('\n\n')
}

function namesOf(commands: readonly Listed[]): readonly (readonly string[])[] {
  return commands.map(({ name, summary }) => [name, summary])
}

function widthOf(rows: readonly (readonly string[])[]): number {
  return Math.max(...rows.map(([first = '']) => first.length))
}

function list(rows: readonly (readonly string[])[], width = widthOf(rows)): string {
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}
