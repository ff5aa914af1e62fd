import { hasUnknownCode } from './opens-schemas.ts'

/**
 * The imports of Signalbox modules for members and options that few functions use, each with a list of words. A
 * function whose code contains none of the words does not need the import. If a removed import is called nevertheless,
 * the error names the first word. See docs/decisions/bundles-and-publishing.md#bundles-for-production.
 */
export const wordsOf: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'core/signalbox/serialize-early-responses': { wrapMiddleware: ['use', 'before', 'after', 'onError'] },
  'load-balancer/load-balancer': { adaptMiddleware: ['use', 'before', 'after', 'onError'] },
  'load-balancer/request/http-request': {
    clientAddress: ['clientAddress'],
    parseCookies: ['cookies', 'sealedSession'],
    queryValues: ['query'],
    webRequest: ['toWebRequest', 'fromFetch'],
  },
  'load-balancer/response/to-reply': { replyOf: ['Response', 'fetch', 'fromFetch'] },
  'load-balancer/response/web-response': { replyOf: ['Response', 'fetch', 'fromFetch'] },
  'load-balancer/routing/route-input': { parseCookies: ['cookies'], queryValues: ['query'] },
  'load-balancer/routing/router': { surround: ['group'] },
  'mail-flow/mail/mail': { parseMail: ['parsed'] },
  'queue/message/message': { decodeAttributes: ['attributes'] },
  'user-pool/routing/trigger-router': { withPlainCode: ['decrypt'] },
}

/**
 * Returns the imports that a Signalbox module does not need, because the function names no member that needs them. Each
 * import is mapped to the name of a member that needs it.
 *
 * @param path the path of the module below the sources of its package, such as `message/message`
 * @param code the code of the function without Signalbox
 */
export function unneededImports(
  packageName: string,
  path: string,
  code: string,
): ReadonlyMap<string, string> {
  const imports = wordsOf[`${packageName.replace('@signalbox/', '')}/${path}`] ?? {}
  const isUnnamed = (words: readonly string[]) => !new RegExp(`\\b(?:${words.join('|')})\\b`).test(code)
  return new Map(
    Object.entries(imports).flatMap(([name, words]) => (isUnnamed(words) ? [[name, words[0]!]] : [])),
  )
}

/** The parts of the esbuild API that `codeWithoutSignalbox` uses. */
export interface Esbuild {
  readonly initialOptions: {
    readonly plugins?: readonly { readonly name: string }[]
    readonly external?: readonly string[]
  }
  readonly esbuild: {
    // biome-ignore lint/suspicious/noExplicitAny: esbuild's own types are not named.
    readonly build: (options: any) => Promise<any>
  }
}

/**
 * Bundles a function without Signalbox, and returns the code of the bundle. Returns undefined if bundling fails, or
 * if the bundle loads other code, which may use any member.
 *
 * @param ownName the name of the plugin that calls this function
 */
export async function codeWithoutSignalbox(
  { initialOptions, esbuild }: Esbuild,
  ownName: string,
): Promise<string | undefined> {
  const { plugins = [], external = [] } = initialOptions
  try {
    const { outputFiles, metafile } = (await esbuild.build({
      ...initialOptions,
      plugins: plugins.filter(({ name }) => name !== ownName),
      external: [...external, '@signalbox/*'],
      minify: false,
      sourcemap: false,
      metafile: true,
      write: false,
      logLevel: 'silent',
    })) as BuildResult
    const code = outputFiles.map(({ text }) => text.replaceAll(/(["'])use strict\1/g, '')).join('\n')
    const imports = Object.values(metafile.outputs).flatMap(output => output.imports)
    const loadsOther =
      /\b(?:import|require)\((?!\s*["'])/.test(code) ||
      imports.some(({ path, external: isExternal }) => isExternal && hasUnknownCode(path))
    return loadsOther ? undefined : code
  } catch {
    return undefined
  }
}

interface BuildResult {
  readonly outputFiles: readonly { readonly text: string }[]
  readonly metafile: {
    readonly outputs: Readonly<
      Record<string, { readonly imports: readonly { readonly path: string; readonly external?: boolean }[] }>
    >
  }
}
