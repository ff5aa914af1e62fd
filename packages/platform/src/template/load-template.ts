import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '@signalbox/platform-runtime/command-line'
import { InvalidConfigError, type RuntimeConfig } from '@signalbox/platform-runtime/config'
import type { Part, Template } from '@signalbox/template'
import { languagesFolder } from '../own-code.ts'

/** A template as a configuration, with what a user should know about it. */
export interface LoadedTemplate extends Omit<Template, 'config'> {
  readonly config: RuntimeConfig
  /** The file of the template. */
  readonly file: string
  readonly root: string
}

export interface TemplateChoice {
  /** The path of a template, or of the folder that CDK writes. */
  readonly path: string
  /** The values of parameters: `NAME=VALUE` each. */
  readonly parameters?: readonly string[]
  /** The name of the stack, if a folder of CDK has several. */
  readonly stack?: string | undefined
  /** A configuration with further settings, which win over those of the template. */
  readonly config?: string | undefined
  /** The folder for code that is in the template itself or in archives. Default: one beside the platform's data. */
  readonly inlineFolder?: string
  /** The file that calls functions in Python. Default: the one of this package. */
  readonly pythonClient?: (root: string) => string
}

/** The folder for code that is in a template itself, or in archives that it names. */
const inlineFolder = '.signalbox/inline'

/** The program that calls functions in Python. It is packed beside `src` and `dist`. */
export const pythonClient = fileURLToPath(new URL('python/runtime.py', languagesFolder))

/** Returns the folder of the configuration that a template becomes. */
export function templateRoot(folder: string, path: string, stack: string | undefined): string {
  return templateFile(resolve(folder, path), stack).root
}

/**
 * Reads a template as the configuration of a platform. Paths are relative to the folder of the template, and so is the folder
 * of the platform's data.
 * @throws Error that says what is missing or wrong, with the name of the file
 */
export async function loadTemplate(folder: string, choice: TemplateChoice): Promise<LoadedTemplate> {
  const { readTemplate, TemplateError } = await import('@signalbox/template')
  const { file, assets, stack, ...found } = templateFile(resolve(folder, choice.path), choice.stack)
  const further = choice.config === undefined ? undefined : await loadConfig(folder, choice.config)
  const root = further?.root ?? found.root
  const beside: Part = further === undefined ? {} : { ...further.config }
  try {
    const { config, ...about } = readTemplate(textIn(file), {
      root,
      template: assets,
      python: from => [
        'python3',
        choice.pythonClient ? relative(from, choice.pythonClient(root)) : pythonClient,
      ],
      parameters: Object.fromEntries((choice.parameters ?? []).map(parameterOf)),
      region: (beside.region as string | undefined) ?? process.env.AWS_REGION ?? 'us-east-1',
      account: (beside.account as string | undefined) ?? '000000000000',
      stack,
      beside,
      keep(name, fileName, code, isExecutable = false) {
        const kept = join(root, choice.inlineFolder ?? inlineFolder, name)
        const path = join(kept, fileName)
        mkdirSync(dirname(path), { recursive: true })
        // A file that is written again is a new generation of the function.
        if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(code)))
          writeFileSync(path, code, { mode: isExecutable ? 0o755 : 0o644 })
        return kept
      },
    })
    return { config: config as RuntimeConfig, file, root, ...about }
  } catch (error) {
    if (error instanceof TemplateError)
      throw new InvalidConfigError(relative(folder, file) || file, error.problems)
    throw error
  }
}

/** @throws Error for a file that is not UTF-8, because its values would have other letters */
function textIn(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Error(`${file} is not text in UTF-8.`, { cause: error })
  }
}

function parameterOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at <= 0) throw new Error(`--parameter takes NAME=VALUE, and not ${JSON.stringify(text)}.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Returns the file of a template, the folders of its project and of its code, and the name of its stack. */
function templateFile(path: string, wanted: string | undefined) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`There is no ${path}.`)
  if (!found.isDirectory())
    return {
      file: path,
      root: dirname(path),
      assets: dirname(path),
      stack: wanted ?? basename(dirname(path)).replaceAll(/[^\w-]/g, '-'),
    }
  const manifest = join(path, 'manifest.json')
  if (!existsSync(manifest)) throw new Error(`${path} has no manifest.json, as CDK writes it.`)
  const { artifacts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly artifacts?: { readonly [id: string]: Artifact }
  }
  const stacks = Object.entries(artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([id, { properties, displayName }]) => ({
      id,
      name: displayName ?? id,
      file: properties?.templateFile,
    }))
  const names = stacks.map(({ name }) => name).join(', ')
  const chosen =
    wanted === undefined && stacks.length === 1
      ? stacks[0]
      : stacks.find(({ id, name }) => id === wanted || name === wanted)
  if (chosen?.file === undefined)
    throw new Error(
      wanted === undefined
        ? `${path} has the stacks ${names || 'none'}. Name one: --stack NAME`
        : `${path} has no stack ${wanted}, but ${names || 'none'}.`,
    )
  return { file: join(path, chosen.file), root: dirname(path), assets: path, stack: chosen.id }
}

interface Artifact {
  readonly type?: string
  readonly displayName?: string
  readonly properties?: { readonly templateFile?: string }
}
