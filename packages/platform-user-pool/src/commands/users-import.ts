import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  configOption,
  defineCommand,
  printable,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { headerProblem, rowIn } from '../flows/accounts/csv-import.ts'
import { csvRow } from '../flows/accounts/csv-row.ts'
import {
  type ForeignService,
  foreignServices,
  foreignUser,
  keycloakUsers,
  saysWhoIsBlocked,
  Unimportable,
} from './foreign-users.ts'
import { poolNamed, runningPools } from './running-pools.ts'

/** The maximum numbers of characters and lines in one request. */
const [batchSize, batchCount] = [256 * 1024, 100]

interface Counts {
  added: number
  there: number
  reset: number
  refused: number
}

/** Adds exported users, or the users of a CSV file, to a pool. */
export const usersImport = defineCommand({
  name: 'users import',
  summary: 'Add users that `users export` has printed, or those of a file of another service',
  usage: 'POOL FILE [--from SERVICE] [--config FILE] [--json]',
  details:
    'Asks the running platform. FILE is - for the standard input. A FILE whose name ends with .csv has the columns of the CSV files of the service, with cognito:username among them; users without cognito:password_hash have to reset their passwords. A user who is there already stays as they are, so that an import can be repeated, and goes on where Ctrl-C stopped it. A line that is not a user is refused and named, and the import goes on with the next one; a file that does not begin with a user is not imported. A user whose password or authenticator was encrypted with another key, or for another pool, has to reset the password, and sets up an authenticator again. Its devices and passkeys are left out then.',
  examples: [
    ['signalbox users import staff users.csv', 'adds those of a CSV file'],
    ['signalbox users import staff users.jsonl', 'adds those that are not there'],
    ['signalbox users import staff realm.json --from keycloak', 'adds those of an exported realm'],
  ],
  options: {
    config: configOption,
    from: {
      type: 'string',
      value: 'SERVICE',
      help: `read users as this service exports them: ${foreignServices.join(', ')}`,
    },
    json: { type: 'boolean', help: 'print the counts as one JSON object' },
  },
  async run({ config, from, json = false }, operands, terminal) {
    const [name, file] = operands
    const service = serviceNamed(from)
    if (name === undefined || file === undefined)
      throw new UsageError('users import needs a pool and a file.')
    refuseOperands('users import', operands, 2)
    const running = await runningPools(terminal, config)
    const pool = poolNamed(running, name)
    const { id } = pool
    const counts: Counts = { added: 0, there: 0, reset: 0, refused: 0 }
    let done = 0
    const leftOut = new Set<string>()
    // A file of hashes from Auth0 says nothing about blocked users and second factors.
    let mayBeBlocked = service === 'auth0'
    const isCsv = service === undefined && file.endsWith('.csv')
    const word = service === 'keycloak' ? 'user' : 'line'
    const send = async (lines: readonly { readonly number: number; readonly user: object }[]) => {
      if (lines.length === 0) return
      const users = lines.map(({ user }) => user)
      const { Results } = isCsv
        ? await running.call('ImportUserRows', { UserPoolId: id, Rows: users })
        : await running.call('ImportUsers', {
            ...{ UserPoolId: id, Users: users },
            ...(service !== undefined && { Foreign: true }),
          })
      for (const [at, { Result, Message }] of (
        Results as readonly { readonly Result: keyof Counts; readonly Message?: string }[]
      ).entries()) {
        const { user, number } = lines[at]!
        const isReset =
          Result === 'added' && service !== undefined && 'status' in user && user.status === 'RESET_REQUIRED'
        counts[isReset ? 'reset' : Result]++
        if (Message !== undefined) terminal.printError(`${word} ${number}: ${printable(Message)}`)
      }
      done += lines.length
      terminal.progress?.(`${done} users`)
    }
    const importAll = async () => {
      let header: readonly string[] | undefined
      let lines: { number: number; user: object }[] = []
      let size = 0
      let number = 0
      const path = resolve(terminal.cwd, file)
      if (file !== '-' && !existsSync(path)) throw new Error(`There is no file ${path}.`)
      const now = Date.now()
      for await (const line of service === 'keycloak' ? documentUsers(path, file) : linesOf(path, file)) {
        // The import stops only between requests, so that the printed result is complete.
        if (terminal.stop.aborted) return 'stopped'
        number++
        if (typeof line === 'string' && line.trim() === '') continue
        if (isCsv && header === undefined && typeof line === 'string') {
          header = csvRow(line)
          const problem = headerProblem(header)
          if (problem !== undefined) throw new Error(`Line ${number} ${problem}`)
          continue
        }
        const value = service !== undefined && typeof line === 'string' ? parsed(line) : line
        if (saysWhoIsBlocked(value)) mayBeBlocked = false
        const user =
          service !== undefined
            ? foreignUser(service, value, pool, now, what => leftOut.add(what))
            : header === undefined
              ? readLine(String(line))
              : rowIn(header, String(line))
        // A file that does not begin with a user is probably the wrong file.
        if (typeof user === 'string' && done + lines.length === 0)
          throw new Error(`${word === 'user' ? 'User' : 'Line'} ${number} ${user}`)
        if (typeof user === 'string' || user instanceof Unimportable) {
          counts.refused++
          done++
          const problem = typeof user === 'string' ? user : user.why
          terminal.printError(`${word} ${number}: The ${word} ${problem}`)
          continue
        }
        lines.push({ number, user })
        size += typeof line === 'string' ? line.length : JSON.stringify(user).length
        if (size < batchSize && lines.length < batchCount) continue
        await send(lines)
        lines = []
        size = 0
      }
      await send(lines)
      return 'done'
    }
    const report = (state: 'done' | 'stopped') => {
      terminal.progress?.('')
      for (const what of leftOut) terminal.printError(`Left out: ${printable(what)}.`)
      if (mayBeBlocked && done > 0)
        terminal.printError(
          'No line says whether its user is blocked or has a second factor (blocked, multifactor): join the file with the export of profiles.',
        )
      const { added, there, reset, refused } = counts
      terminal.print(
        json
          ? JSON.stringify(counts)
          : `${state === 'stopped' ? `Stopped after ${done} users: ` : ''}${added + reset} added, of whom ${reset} have to reset their passwords; ${there} were there; ${refused} refused.`,
      )
    }
    let state: 'done' | 'stopped'
    try {
      state = await importAll()
    } catch (error) {
      // Some users are in the pool already, so their number is printed before the error.
      if (done > 0) report('stopped')
      throw error
    }
    report(state)
    if (state === 'stopped') return 130
    return counts.refused > 0 ? 1 : 0
  },
})

function serviceNamed(from: string | undefined): ForeignService | undefined {
  const service = foreignServices.find(each => each === from)
  if (from !== undefined && service === undefined)
    throw new UsageError(`--from has to be one of ${foreignServices.join(', ')}.`)
  return service
}

/**
 * Returns the text of a file in parts, without a byte order mark.
 * @throws Error for bytes that are not UTF-8, because names would be imported with other letters
 */
async function* textOf(path: string, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch (error) {
      throw new Error(`${file} is not UTF-8.`, { cause: error })
    }
  }
  for await (const bytes of file === '-' ? process.stdin : createReadStream(path)) yield decode(bytes)
  yield decode()
}

/** Returns the lines of a file. Other characters that end lines in some texts may be in the values of JSON. */
async function* linesOf(path: string, file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textOf(path, file)) {
    const lines = text.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop()!
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

/** Returns the users of a file that is one JSON document, which is read at once. */
async function* documentUsers(path: string, file: string): AsyncGenerator<unknown> {
  let text = ''
  for await (const part of textOf(path, file)) text += part
  yield* keycloakUsers(text)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Returns the user in an exported line, or the end of a sentence that says what is wrong with the line. */
function readLine(line: string): object | string {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && 'id' in value && 'name' in value) return value
  } catch {}
  // The sentence does not quote the line, because it may contain a secret.
  return 'is not a user as `users export` prints it: a JSON object with id and name.'
}
