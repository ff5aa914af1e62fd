import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'

/** The options of esbuild that decide whether a bundle has `require`. */
export interface RequireOptions {
  readonly format?: string
  readonly platform?: string
  readonly banner?: { readonly js?: string }
  readonly absWorkingDir?: string
}

/** The parts of esbuild's metafile that name the modules which call `require`. */
export interface RequiringModules {
  readonly inputs: {
    readonly [path: string]: {
      readonly imports: readonly {
        readonly path: string
        readonly kind?: string
        readonly external?: boolean
      }[]
    }
  }
  readonly outputs: {
    readonly [path: string]: {
      readonly inputs: { readonly [path: string]: { readonly bytesInOutput: number } }
    }
  }
}

/** A call of `require` that fails. */
export interface MissingRequire {
  readonly sentence: string
  readonly file: string
  readonly at: { readonly line: number; readonly column: number }
}

const banner =
  'banner: { js: "import { createRequire } from \'node:module\'; const require = createRequire(import.meta.url)" }'

/** Returns whether a bundle consists of ES modules, in which `require` is not defined. */
export function lacksRequire({ format, platform, banner }: RequireOptions): boolean {
  return format === 'esm' && platform === 'node' && !/\brequire\b/.test(banner?.js ?? '')
}

/**
 * Returns the first call in each bundle that requires a module of Node. CommonJS packages have such calls. esbuild keeps
 * them in a bundle of ES modules, where they throw `Dynamic require of "…" is not supported`, mostly when the function
 * starts.
 * @param folder the folder that the paths of the modules start from
 */
export function missingRequires(
  { inputs, outputs }: RequiringModules,
  folder: string,
): readonly MissingRequire[] {
  return Object.values(outputs).flatMap(output => {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const required =
        bytesInOutput > 0
          ? inputs[path]?.imports.find(
              each => each.kind === 'require-call' && each.external && isBuiltin(each.path),
            )
          : undefined
      if (required === undefined) continue
      const sentence = `The module requires ${JSON.stringify(required.path)}, and a bundle of ES modules has no require, so this call fails. Add ${banner} to the options of esbuild.`
      return [{ sentence, file: path, at: placeOf(resolve(folder, path), required.path) }]
    }
    return []
  })
}

function placeOf(path: string, module: string): MissingRequire['at'] {
  const code = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const calls = [`require("${module}")`, `require('${module}')`].map(call => code.indexOf(call))
  const before = code.slice(0, Math.max(...calls, 0)).split('\n')
  return { line: before.length, column: before.at(-1)!.length }
}
