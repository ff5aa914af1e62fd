import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, type Problem } from '@signalbox/codec'
import { isReadableByOthers } from '../readable-by-others.ts'
import { matching } from './field.ts'
import type { UncheckedObject } from './field-problems.ts'

/**
 * A secret: a string, or the environment variable or file that contains it. A path is relative to the configuration
 * file.
 */
export type SecretConfig = string | { readonly env: string } | { readonly file: string }

export const secretText = matching<SecretConfig>(
  'a text, { env: NAME } or { file: PATH }',
  value =>
    isText(value) || (isObject(value) && Object.keys(value).length === 1 && isText(value.env ?? value.file)),
)

/**
 * Returns the environment variables that a configuration reads its secrets from. The environment of a function is not
 * searched, because its values are texts, whatever their names.
 */
export function secretVariables(config: UncheckedObject): readonly string[] {
  const found = new Set<string>()
  const seen = new Set<object>()
  const search = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const { env } = value as { readonly env?: unknown }
    if (isText(env) && secretText.is(value)) found.add(String(env))
    else for (const each of Object.values(value)) search(each)
  }
  const { functions, ...parts } = config
  search(parts)
  for (const each of isObject(functions) ? Object.values(functions) : []) {
    if (isObject(each)) search({ ...each, env: undefined })
  }
  return [...found]
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Returns the reasons why a secret cannot be read. The list is empty when the secret can be read. */
export function secretProblems(
  secret: SecretConfig,
  pointer: string,
  root: string,
  environment: { readonly [name: string]: string | undefined } = process.env,
): readonly Problem[] {
  if (typeof secret === 'string') return []
  if ('env' in secret)
    return environment[secret.env]
      ? []
      : [{ pointer, expected: `a value in the environment variable ${secret.env}`, actual: 'nothing there' }]
  const path = resolve(root, secret.file)
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file?.isFile()) return [{ pointer, expected: 'a file', actual: `${secret.file}, where there is none` }]
  if (isReadableByOthers(file))
    return [{ pointer, expected: 'a file that only its owner can read (mode 600)', actual: secret.file }]
  const content = readFileSync(path)
  // Other bytes would all become the same character, and the secret would be another one.
  if (!isUtf8(content))
    return [{ pointer, expected: 'a file with a secret of text in UTF-8', actual: secret.file }]
  if (content.toString().trim() === '')
    return [{ pointer, expected: 'a file with a secret', actual: `${secret.file}, which is empty` }]
  return []
}

/**
 * Reads a secret from the configuration, the environment or a file.
 * @param secret a secret without problems
 */
export function readSecret(
  secret: SecretConfig,
  root: string,
  environment: { readonly [name: string]: string | undefined } = process.env,
): string {
  if (typeof secret === 'string') return secret
  return 'env' in secret ? environment[secret.env]! : readFileSync(resolve(root, secret.file), 'utf8').trim()
}
