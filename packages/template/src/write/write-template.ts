import type { Part } from '../config/config.ts'
import { cdkText } from './cdk.ts'
import { resourcesOf } from './resources-of.ts'
import { samText } from './sam.ts'
import { terraformText } from './terraform.ts'

const printers = { sam: samText, cdk: cdkText, terraform: terraformText }

/** The kinds of templates that can be written. */
export type TemplateKind = keyof typeof printers

/** The names of the kinds of templates that can be written. */
export const templateKinds = Object.keys(printers) as readonly TemplateKind[]

/**
 * Returns what a configuration would be in the cloud: functions, queues with the functions that get their messages, user pools
 * and load balancers. What cannot be there is in it as comments, by its place in the configuration.
 * @param kind a template of AWS SAM, a program of CDK in TypeScript, or one of Terraform in JSON
 * @example
 * writeFileSync('template.yaml', writeTemplate('sam', config))
 */
export function writeTemplate(kind: TemplateKind, config: object): string {
  return printers[kind](resourcesOf(config as Part))
}
