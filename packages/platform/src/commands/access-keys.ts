import { unknownName } from '@signalbox/platform-runtime'
import type { StoredKey } from '@signalbox/platform-runtime/access'
import {
  type CommandContext,
  columns,
  configOption,
  dateAndTime,
  defineCommand,
  type Project,
  printable,
  printableJson,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'

const jsonOption = { type: 'boolean', help: 'print JSON' } as const

/** Creates a key for an identity. */
export const accessAdd = defineCommand({
  name: 'access add',
  summary: 'Make a key for an identity',
  usage: 'IDENTITY [--config FILE] [--json]',
  details: `The identity and its rights are in the configuration, under access.identities. The secret is shown once. A
running platform accepts the key at once. Clients of AWS use the id as access key and the secret as secret key, others use
them as user and password, and scripts send both as bearer token: ID.SECRET.`,
  examples: [['signalbox access add shop', 'makes a key, and shows its secret once']],
  options: { config: configOption, json: jsonOption },
  async run({ config, json = false }, operands, terminal) {
    const [name] = operands
    if (name === undefined) throw new UsageError('access add needs the name of an identity.')
    refuseOperands('access add', operands, 1)
    const project = await terminal.project(config)
    refuseUnknownIdentity(project, name)
    const key = await project.withKeys(store => store.add(name))
    show({ ...key, identity: name }, json, terminal)
    return 0
  },
})

/** Shows the identities and their keys. */
export const accessList = defineCommand({
  name: 'access list',
  summary: 'Show identities, their rights and their keys',
  usage: '[--config FILE] [--json]',
  details: 'No secret is shown.',
  examples: [['signalbox access list', 'each identity with its rights and its keys']],
  options: { config: configOption, json: jsonOption },
  async run({ config, json = false }, operands, terminal) {
    refuseOperands('access list', operands)
    const project = await terminal.project(config)
    const stored = await project.withKeys(store => store.list())
    for (const { name, keys, rights } of project.settings.access?.identities ?? []) {
      const own = stored.filter(({ identity }) => identity === name)
      if (json) {
        const configured = keys.map(({ accessKeyId }) => ({ id: accessKeyId, configured: true }))
        terminal.print(printableJson({ name, rights, keys: [...configured, ...own] }))
        continue
      }
      terminal.print(terminal.paint('bold', name))
      for (const line of rightLines(rights)) terminal.print(`  ${printable(line)}`)
      const rows = [
        ...keys.map(({ accessKeyId }) => [printable(accessKeyId), 'in the configuration']),
        ...own.map(each => [each.id, stateOf(each)]),
      ]
      if (rows.length > 0) terminal.print(columns(rows).replace(/^/gm, '  key '))
    }
    return 0
  },
})

/** Replaces a key. */
export const accessRotate = defineCommand({
  name: 'access rotate',
  summary: 'Replace a key by a new one',
  usage: 'KEY [--keep HOURS] [--config FILE] [--json]',
  details: `Makes a new key for the same identity. The old one stays valid for a day, so that clients can change, or for
the hours of --keep.`,
  examples: [['signalbox access rotate SBAKQ5… --keep 0', 'replaces a key that others may know']],
  options: {
    keep: { type: 'string', value: 'HOURS', help: 'how long the old key stays valid (default: 24)' },
    config: configOption,
    json: jsonOption,
  },
  async run({ keep = '24', config, json = false }, operands, terminal) {
    const [id] = operands
    if (id === undefined) throw new UsageError('access rotate needs the id of a key.')
    refuseOperands('access rotate', operands, 1)
    if (!/^\d{1,4}$/.test(keep)) throw new UsageError('--keep needs a number of hours.')
    const project = await terminal.project(config)
    const { key, identity } = await project.withKeys(async store => {
      const { identity } = storedKey(await store.list(), id)
      refuseUnknownIdentity(project, identity)
      const key = await store.add(identity)
      if (keep === '0') await store.revoke(id)
      else await store.expire(id, Date.now() + Number(keep) * 3_600_000)
      return { key, identity }
    })
    show({ ...key, identity }, json, terminal)
    return 0
  },
})

/** Revokes a key. */
export const accessRevoke = defineCommand({
  name: 'access revoke',
  summary: 'Make a key invalid at once',
  usage: 'KEY [--config FILE]',
  details: 'Also on a running platform. Its secret is deleted. A key of the configuration is removed there.',
  examples: [['signalbox access revoke SBAKQ5…', 'the next request with this key is refused']],
  options: { config: configOption },
  async run({ config }, operands, terminal) {
    const [id] = operands
    if (id === undefined) throw new UsageError('access revoke needs the id of a key.')
    refuseOperands('access revoke', operands, 1)
    const project = await terminal.project(config)
    const { identity } = await project.withKeys(async store => {
      const found = storedKey(await store.list(), id)
      await store.revoke(id)
      return found
    })
    terminal.print(`The key ${id} of ${identity} is revoked.`)
    return 0
  },
})

function refuseUnknownIdentity({ settings }: Project, name: string): void {
  const names = settings.access?.identities.map(each => each.name) ?? []
  if (settings.access !== undefined && !names.includes(name))
    throw new Error(unknownName('identity', name, names))
}

function storedKey(keys: readonly StoredKey[], id: string): StoredKey {
  const found = keys.find(each => each.id === id)
  if (found === undefined)
    throw new Error(
      unknownName(
        'key',
        id,
        keys.map(each => each.id),
      ),
    )
  if (found.revoked !== undefined) throw new Error(`The key ${id} is revoked already.`)
  return found
}

function show(
  {
    identity,
    accessKeyId,
    secretAccessKey,
  }: { readonly identity: string; readonly accessKeyId: string; readonly secretAccessKey: string },
  json: boolean,
  { print, paint }: CommandContext,
): void {
  const rows = [
    ['identity', identity],
    ['id', accessKeyId],
    ['secret', secretAccessKey],
  ]
  print(
    json
      ? printableJson({ identity, id: accessKeyId, secret: secretAccessKey })
      : `${columns(rows)}\n${paint('dim', 'The secret is not shown again.')}`,
  )
}

function rightLines(rights: {
  readonly [collection: string]: { readonly [right: string]: readonly string[] }
}) {
  const lines = Object.entries(rights).flatMap(([collection, byRight]) =>
    Object.entries(byRight).map(([right, names]) => `may ${right} ${collection}: ${names.join(', ')}`),
  )
  return lines.length === 0 ? ['has no rights'] : lines
}

function stateOf({ created, expires, revoked }: StoredKey): string {
  if (revoked !== undefined) return `revoked ${dateAndTime(revoked)}`
  const made = `made ${dateAndTime(created)}`
  if (expires === undefined) return made
  return expires <= Date.now()
    ? `expired ${dateAndTime(expires)}`
    : `${made}, valid until ${dateAndTime(expires)}`
}
