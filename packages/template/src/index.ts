export type { Part, TemplateConfig } from './config/config.ts'
export { TemplateError } from './document/template-error.ts'
export { readTemplate, type Template, type TemplateOptions } from './read-template.ts'
export type { Note } from './resources/notes.ts'
