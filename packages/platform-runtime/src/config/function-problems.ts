import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import { isSigningSecret, signingSecretName } from '@signalbox/core/event-signature'
import type { UncheckedObject } from '../fields/field-problems.ts'
import { readSecret, type SecretConfig, secretProblems, secretText } from '../fields/secret.ts'
import type { FunctionConfig } from '../invoker/function-config.ts'
import type { RuntimeConfig } from './runtime-config.ts'

/** The key that says how a function runs. */
type FunctionKind = 'module' | 'command' | 'handler' | 'url' | 'lambda'

const kinds: readonly FunctionKind[] = ['module', 'command', 'handler', 'url', 'lambda']

/** Keys that are valid only for some kinds of functions. */
const keysOfKind: { readonly [key in keyof FunctionConfig]?: readonly FunctionKind[] } = {
  export: ['module', 'command'],
  memory: ['module', 'command'],
  env: ['module', 'command'],
  concurrency: ['module', 'command'],
  tenancy: ['module', 'command'],
  cwd: ['command'],
  extensions: ['command'],
  secret: ['url'],
  headers: ['url'],
}

/** Headers that the platform sets itself, or that belong to the connection. */
const ownHeaders =
  /^(?:connection|content-.*|expect|host|keep-alive|proxy-.*|signalbox-.*|te|trailer|transfer-encoding|upgrade|webhook-.*)$/i

/**
 * Returns the problems of a function that its table does not find, except for those of its files. The problems do not
 * show values that may be secrets.
 */
export function functionProblems(part: UncheckedObject, pointer: string): readonly Problem[] {
  return [
    ...wayProblems(part, pointer),
    ...urlProblems(part.url, `${pointer}/url`),
    ...secretFieldProblems(part.secret, `${pointer}/secret`),
    ...headerProblems(part.headers, `${pointer}/headers`),
    ...environmentProblems(part.env, `${pointer}/env`),
  ]
}

function wayProblems(part: UncheckedObject, pointer: string): readonly Problem[] {
  const named = kinds.filter(kind => part[kind] !== undefined)
  if (named.length !== 1) {
    const actual = named.length === 0 ? 'nothing' : named.join(' and ')
    return [{ pointer, expected: 'one of module, command, handler, url and lambda', actual }]
  }
  const [kind] = named as [FunctionKind]
  // In tests, a handler can also have the settings of a module, although it runs in this process.
  const allowed = kind === 'handler' ? [kind, 'module'] : [kind]
  return Object.entries(keysOfKind)
    .filter(([key, owners]) => part[key] !== undefined && !owners.some(owner => allowed.includes(owner)))
    .map(([key, owners]) => ({
      pointer: `${pointer}/${key}`,
      expected: `nothing without ${owners.join(' or ')}`,
      actual: kindOf(part[key]),
    }))
}

function urlProblems(url: unknown, pointer: string): readonly Problem[] {
  if (url === undefined) return []
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  const refused = (actual: string) => [{ pointer, expected: 'an http or https URL', actual }]
  if (parsed === undefined) return refused(typeof url === 'string' ? 'another text' : kindOf(url))
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return refused(`one of ${parsed.protocol}`)
  if (parsed.username !== '' || parsed.password !== '')
    return [
      { pointer, expected: 'a URL without user and password, which belong into headers', actual: 'both' },
    ]
  return []
}

function secretFieldProblems(secret: unknown, pointer: string): readonly Problem[] {
  if (secret === undefined || secretText.is(secret)) return []
  return [{ pointer, expected: secretText.name, actual: kindOf(secret) }]
}

function headerProblems(headers: unknown, pointer: string): readonly Problem[] {
  if (headers === undefined) return []
  if (!isObject(headers)) return [{ pointer, expected: 'an object', actual: kindOf(headers) }]
  return Object.entries(headers).flatMap(([name, value]) => {
    const at = `${pointer}${pointerTo(name)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
      return [{ pointer: at, expected: 'the name of a header', actual: 'another text' }]
    if (ownHeaders.test(name))
      return [{ pointer: at, expected: 'a header that calls do not have themselves', actual: name }]
    return secretFieldProblems(value, at)
  })
}

/** Returns the problems of variables that an operating system cannot give to a process. */
function environmentProblems(env: unknown, pointer: string): readonly Problem[] {
  if (!isObject(env)) return []
  return Object.entries(env).flatMap(([name, value]) => {
    const at = `${pointer}${pointerTo(name)}`
    if (name === '' || /[=\0]/.test(name))
      return [{ pointer: at, expected: 'the name of an environment variable', actual: 'another text' }]
    if (typeof value === 'string' && value.includes('\0'))
      return [{ pointer: at, expected: 'a text without null characters', actual: 'another text' }]
    return []
  })
}

/** Returns the problems of a function on AWS Lambda that its table does not find. */
export function lambdaProblems(
  { endpoint, accessKeyId, secretAccessKey }: UncheckedObject,
  at: string,
): readonly Problem[] {
  return [
    ...urlProblems(endpoint, `${at}/endpoint`),
    ...secretFieldProblems(secretAccessKey, `${at}/secretAccessKey`),
    ...((accessKeyId === undefined) === (secretAccessKey === undefined)
      ? []
      : [
          {
            pointer: at,
            expected: 'both accessKeyId and secretAccessKey, or neither',
            actual: accessKeyId === undefined ? 'secretAccessKey' : 'accessKeyId',
          },
        ]),
  ]
}

/**
 * Returns the problems of the files and secrets to which functions refer. Called only for a configuration without other
 * problems.
 */
export function functionFileProblems({ functions = {} }: RuntimeConfig, root: string): readonly Problem[] {
  return Object.entries<FunctionConfig>(functions).flatMap(
    ([name, { module, command, cwd = '.', extensions = [], secret, headers = {}, lambda }]) => {
      const pointer = pointerTo('functions', name)
      return [
        ...missingModule(module, pointer, root),
        ...(command === undefined ? [] : missingPrograms({ command, cwd, extensions }, pointer, root)),
        ...unreadable(secret, `${pointer}/secret`, root, text =>
          isSigningSecret(text) ? undefined : signingSecretName,
        ),
        ...Object.entries(headers).flatMap(([header, value]) =>
          unreadable(value, `${pointer}/headers${pointerTo(header)}`, root, text =>
            /^[\t\x20-\x7e]+$/.test(text) ? undefined : 'a value of printable ASCII',
          ),
        ),
        ...unreadable(lambda?.secretAccessKey, `${pointer}/lambda/secretAccessKey`, root, () => undefined),
      ]
    },
  )
}

/** Returns the problems of a folder and of programs that are named by their paths. Other programs are in the PATH. */
function missingPrograms(
  {
    command: [program],
    cwd,
    extensions,
  }: { readonly [key in 'cwd']: string } & {
    readonly command: readonly string[]
    readonly extensions: readonly string[]
  },
  pointer: string,
  root: string,
): readonly Problem[] {
  const folder = resolve(root, cwd)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [{ pointer: `${pointer}/cwd`, expected: 'a folder', actual: `${cwd}, which is not a folder` }]
  return [
    ['command/0', program!] as const,
    ...extensions.map((path, at) => [`extensions/${at}`, path] as const),
  ]
    .filter(([key, path]) => key !== 'command/0' || path.includes('/'))
    .flatMap(([key, path]) => {
      const why = whyNotExecutable(resolve(folder, path))
      return why === undefined
        ? []
        : [{ pointer: `${pointer}/${key}`, expected: 'an executable file', actual: `${path}, ${why}` }]
    })
}

function whyNotExecutable(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 'which is not a file'
  try {
    accessSync(path, constants.X_OK)
    return undefined
  } catch {
    return 'which may not be executed. Write chmod +x'
  }
}

function missingModule(module: string | undefined, pointer: string, root: string): readonly Problem[] {
  if (module === undefined) return []
  const runtime = otherRuntime()
  if (runtime !== undefined)
    return [{ pointer: `${pointer}/module`, expected: 'a platform that runs on Node', actual: runtime }]
  const isFile = (path: string) => statSync(resolve(root, path), { throwIfNoEntry: false })?.isFile() === true
  if (isFile(module)) return []
  // The extension is the most frequent mistake.
  const stem = module.replace(/\.[cm]?[jt]s$/, '')
  const existing = ['.ts', '.mts', '.js', '.mjs'].map(extension => stem + extension).find(isFile)
  const expected = existing === undefined ? 'a file' : `the file ${existing}`
  return [{ pointer: `${pointer}/module`, expected, actual: `${module}, which is not a file` }]
}

/**
 * Returns the program that runs the platform, if it is not Node. The processes of modules start with options of Node, which
 * other programs do not have.
 */
function otherRuntime(): string | undefined {
  const { bun, deno } = process.versions
  if (bun !== undefined) return `one on Bun ${bun}`
  return deno === undefined ? undefined : `one on Deno ${deno}`
}

/**
 * Returns the problem of a value that cannot be used, without showing the value.
 * @param expected what the value should be
 */
function unreadable(
  secret: SecretConfig | undefined,
  pointer: string,
  root: string,
  expected: (text: string) => string | undefined,
): readonly Problem[] {
  if (secret === undefined) return []
  const found = secretProblems(secret, pointer, root)
  if (found.length > 0) return found
  const wanted = expected(readSecret(secret, root))
  return wanted === undefined ? [] : [{ pointer, expected: wanted, actual: 'another text' }]
}
