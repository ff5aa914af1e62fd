import { parseArgs } from 'node:util'
import { nearest } from '@signalbox/codec'
import type { CommandIn, ExitCode, Option, Values } from './command.ts'
import { seePage, withPage } from './error-page.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { plain } from './paint.ts'
import { sentence } from './sentence.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/**
 * Runs a command line. If the command fails with an error, prints the message to stderr and returns the exit code 2.
 * `all` loads all commands for the help, and is called only if the command line names none of `commands`.
 */
export async function run<Context extends Terminal>(
  args: readonly string[],
  commands: readonly CommandIn<Context>[],
  version: string,
  terminal: Context,
  all: () => Promise<readonly CommandIn<Context>[]> = async () => commands,
): Promise<ExitCode> {
  const [name] = args
  const find = async (words: readonly string[]) => commandOf(words, commands) ?? commandOf(words, await all())
  if (name === undefined) {
    terminal.printError(overview(await all(), plain))
    return 2
  }
  if (isHelp(name) || name === 'help') {
    return printHelp(name === 'help' ? args.slice(1) : [], await all(), terminal)
  }
  if (name === '--version' || name === '-v') {
    terminal.print(version)
    return 0
  }
  const command = await find(args)
  if (command === undefined) {
    if (args.length === 2 && isHelp(args[1])) return printHelp([name], await all(), terminal)
    terminal.printError(unknownCommand(args, await all()))
    return 2
  }
  try {
    const { values, operands, help } = parse(command, args.slice(command.name.split(' ').length))
    if (!help) return await command.run(values, operands, terminal)
    return printHelp([command.name], await all(), terminal)
  } catch (error) {
    terminal.printError(explain(error, command))
    return 2
  }
}

/** Prints the page of a command, of the commands that begin with a word, or of all commands. */
function printHelp(
  words: readonly string[],
  commands: readonly CommandIn<never>[],
  { print, printError, paint }: Terminal,
): ExitCode {
  const [first] = words
  if (first === undefined) {
    print(overview(commands, paint))
    return 0
  }
  const command = commandOf(words, commands)
  const following = beginningWithWord(command?.name ?? first, commands)
  if (command !== undefined) print(commandHelp(command, following, paint))
  else if (words.length === 1 && following.length > 0) print(groupHelp(first, following, paint))
  else {
    printError(unknownCommand(words, commands))
    return 2
  }
  return 0
}

function isHelp(arg: string | undefined): boolean {
  return arg === '--help' || arg === '-h'
}

function beginningWithWord(word: string, commands: readonly CommandIn<never>[]): readonly CommandIn<never>[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `))
}

/** Returns the command that the arguments begin with. A name of two words takes precedence over a name of one word. */
function commandOf<Context>(
  args: readonly string[],
  commands: readonly CommandIn<Context>[],
): CommandIn<Context> | undefined {
  const named = (words: number) => commands.find(({ name }) => name === args.slice(0, words).join(' '))
  return named(2) ?? named(1)
}

function parse(command: CommandIn<never>, given: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short === undefined ? {} : { short }) },
    ]),
  )
  const known = [...Object.keys(options), 'help']
  const args = given.flatMap(arg => withoutOptionalValue(arg, command))
  const { tokens } = parseArgs({ args, options: {}, strict: false, allowPositionals: true, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || !token.rawName.startsWith('--') || known.includes(token.name)) continue
    const meant = nearest(token.name, known) ?? beginningWith(token.name, known)
    throw new UsageError(
      `${command.name} has no option ${token.rawName}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`,
    )
  }
  const { values, positionals } = parseArgs({
    args,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const { help, ...commandValues } = values
  return {
    values: commandValues as Values<CommandIn<never>['options']>,
    operands: positionals,
    help: help === true,
  }
}

/** Splits an option with an optional value, which is an operand: `--inspect=shop` means `--inspect shop`. */
function withoutOptionalValue(arg: string, { options }: CommandIn<never>): readonly string[] {
  const [, name = '', value = ''] = /^--([^=]+)=(.*)$/s.exec(arg) ?? []
  const option = Object.hasOwn(options, name) ? (options[name] as Option) : undefined
  return option?.type === 'boolean' && option.value !== undefined ? [`--${name}`, value] : [arg]
}

/** Returns the option that a shortened name probably means. For example, `--fam` and `--family` mean `--families`. */
function beginningWith(name: string, known: readonly string[]): string | undefined {
  return name.length < 3 ? undefined : known.find(each => each.startsWith(name.slice(0, -1)))
}

/** Returns the error for an unknown command. It lists the commands that begin with the first word. */
function unknownCommand(args: readonly string[], commands: readonly CommandIn<never>[]): string {
  const names = commands.map(command => command.name)
  const [first = '', second = ''] = args
  const group = beginningWithWord(first, commands).map(({ name }) => name)
  const isAlone = group.length > 0 && (second === '' || second.startsWith('-'))
  const asked = group.length > 0 && !isAlone ? `${first} ${second}` : first
  const known = group.length > 0 ? group : names
  const meant = isAlone ? undefined : (nearest(asked, known) ?? nearest(`${first} ${second}`, known))
  return `${isAlone ? `${JSON.stringify(first)} needs a second word.` : `There is no command ${JSON.stringify(asked)}.`} ${
    meant === undefined ? `The commands are ${known.join(', ')}.` : `Did you mean ${meant}?`
  }`
}

function explain(error: unknown, command: CommandIn<never>): string {
  const misused = error instanceof UsageError ? error.message : misparsed(error, command)
  if (misused !== undefined)
    return `${misused}\nUsage: signalbox ${command.name} ${command.usage}\nMore: signalbox ${command.name} --help`
  if (!(error instanceof Error)) return String(error)
  // SQLite's message does not say which files are affected.
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_SQLITE_ERROR')
    return `The files of the platform cannot be used: ${sentence(error.message)}`
  return withPage(error.message, seePage(error))
}

function misparsed(error: unknown, command: CommandIn<never>): string | undefined {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException
  if (!String(code).startsWith('ERR_PARSE_ARGS')) return undefined
  const [, unknown] = /^Unknown option '(-[^']+)'/.exec(message) ?? []
  if (unknown !== undefined) return `${command.name} has no option ${unknown}.`
  // Node explains in several lines what the value of an option may look like.
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous\./.exec(message) ?? []
  return option === undefined
    ? message
    : `${option} needs a value. Write ${option}=VALUE for a value that begins with a hyphen.`
}
