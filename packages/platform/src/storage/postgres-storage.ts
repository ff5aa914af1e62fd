import {
  type ConfigOf,
  fieldProblems,
  integerFrom,
  objectOf,
  optional,
  readSecret,
  required,
  secretProblems,
  secretText,
  textLike,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import type { StorageEngineModule } from '@signalbox/platform-runtime/storage'

const postgresFields = {
  /** The connection string, such as `postgres://user:password@host/database`. */
  url: required(secretText),
  /** The schema that contains the tables. The platform creates it. Default `signalbox`. */
  schema: optional(
    textLike('a name of small letters, digits and _, 40 at most', /^[a-z][a-z0-9_]{0,39}$/),
    'signalbox',
  ),
  /** The maximum number of connections, in addition to the one that listens for notifications. Default 10. */
  connections: optional(integerFrom(1, 1000), 10),
}

/** A PostgreSQL database that keeps the data of the platform. Several platforms may share it. */
export interface PostgresConfig extends ConfigOf<typeof postgresFields> {}

/** The storage engines by name, with their settings. */
export const storageFields = {
  /** Requires the package `@signalbox/platform-postgres`. */
  postgres: optional(objectOf<PostgresConfig>(postgresFields)),
}

/** The key `storage` of a configuration. */
export interface StorageConfig extends ConfigOf<typeof storageFields> {}

/** The environment variable that selects PostgreSQL when the configuration names no storage. */
const variable = 'SIGNALBOX_POSTGRES_URL'

/** Describes a valid URL. Messages do not quote an invalid URL, because it may contain a password. */
const databaseUrl =
  'a URL such as postgres://user:password@host:5432/database, with percent-encoded special characters'

function isDatabaseUrl(text: string): boolean {
  // The driver also accepts a URL without a host.
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@localhost/'))
}

/** PostgreSQL as a storage engine. Its package is loaded only when a platform uses it. */
export const postgresStorage: StorageEngineModule = {
  problems(part, pointer, root) {
    const problems = fieldProblems(postgresFields, part, pointer)
    if (problems.length > 0) return problems
    const { url } = part as unknown as PostgresConfig
    const unreadable = secretProblems(url, `${pointer}/url`, root)
    if (unreadable.length > 0 || isDatabaseUrl(readSecret(url, root))) return unreadable
    return [{ pointer: `${pointer}/url`, expected: databaseUrl, actual: 'another text' }]
  },
  fromEnvironment: environment => (environment[variable] ? { url: { env: variable } } : undefined),
  async open(part, root, context) {
    const { url, schema, connections } = valuesOf(postgresFields, part)
    let engine: typeof import('@signalbox/platform-postgres')
    try {
      engine = await import('@signalbox/platform-postgres')
    } catch (cause) {
      throw new Error('Storage in PostgreSQL needs the package @signalbox/platform-postgres. Install it.', {
        cause,
      })
    }
    const read = readSecret(url, root)
    // The URL can also come from an environment variable.
    if (!isDatabaseUrl(read)) throw new Error(`The URL of the database is invalid. Expected ${databaseUrl}.`)
    return engine.postgresEngine({ url: read, schema, connections }, context)
  },
}
