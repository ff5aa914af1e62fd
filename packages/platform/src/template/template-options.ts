import type { ConfigSource, Values } from '@signalbox/platform-runtime/command-line'
import { UsageError } from '@signalbox/platform-runtime/command-line'
import type { LoadedTemplate } from './load-template.ts'

/** The options of commands that take a template. */
export const templateOptions = {
  template: {
    type: 'string',
    value: 'FILE',
    help: 'a template of SAM or CloudFormation, the folder cdk.out, or a plan of Terraform',
  },
  parameter: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: "a parameter's value (repeatable)",
  },
  stack: { type: 'string', value: 'NAME', help: 'the stack, if cdk.out has several' },
} as const

/**
 * Returns where a command has its configuration from: the template, if it names one.
 * @param onLoaded gets each template that was read
 * @throws UsageError for options that make sense with a template only
 */
export function configSource(
  { template, parameter, stack, config }: Values<typeof templateOptions> & { readonly config?: string },
  cwd: string,
  onLoaded: (template: LoadedTemplate) => void,
): ConfigSource | undefined {
  if (template === undefined) {
    const alone = parameter !== undefined ? '--parameter' : stack !== undefined ? '--stack' : undefined
    if (alone !== undefined) throw new UsageError(`${alone} needs --template FILE.`)
    return config
  }
  return async () => {
    const { loadTemplate } = await import('./load-template.ts')
    const loaded = await loadTemplate(cwd, { path: template, parameters: parameter ?? [], stack, config })
    onLoaded(loaded)
    return loaded
  }
}

/** Returns what a user should know about a template, one line each. */
export function warningLines({ warnings, outputs }: Pick<LoadedTemplate, 'warnings' | 'outputs'>): readonly {
  readonly kind: string
  readonly text: string
}[] {
  return [
    ...warnings.map(({ kind, text }) => ({ kind, text: kind === 'ignored' ? `ignored: ${text}` : text })),
    ...Object.entries(outputs).map(([name, value]) => ({ kind: 'output', text: `${name} = ${value}` })),
  ]
}
