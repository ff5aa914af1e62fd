export type { Part, TemplateConfig } from './config/config.ts'
export { TemplateError } from './document/template-error.ts'
export { readTemplate, type Template, type TemplateOptions } from './read-template.ts'
export type { Warning } from './resources/warnings.ts'
