import type { Part } from '../config/config.ts'

/** A resource as CloudFormation has it. */
export interface WrittenResource {
  readonly id: string
  readonly type: string
  readonly properties: Part
  readonly metadata?: Part | undefined
}

/** A value that a deployment gives. */
export interface WrittenParameter {
  readonly Type: string
  readonly Description: string
  /** Whether the value is a secret, which nobody gets to see. */
  readonly NoEcho?: true
}

/** A configuration as resources of CloudFormation. */
export interface WrittenStack {
  readonly resources: readonly WrittenResource[]
  /** The parameters that a deployment needs, with their types and what they are for. */
  readonly parameters: { readonly [name: string]: WrittenParameter }
  /** What the configuration says and a template cannot, by the place in the configuration. */
  readonly missing: readonly string[]
}

/** Collects the resources of a configuration. */
export interface Writing {
  /** Returns the logical id of a part of the configuration, which is its name if possible. */
  readonly idOf: (part: string, name: string) => string
  readonly add: (resource: WrittenResource) => void
  readonly needParameter: (name: string, type: string, description: string) => void
  /** Adds the parameter of a secret, and returns the reference to it. */
  readonly secret: (name: string, description: string) => Part
  readonly missing: (place: string, why?: string) => void
  /** Notes the options that nothing has read. */
  readonly rest: (place: string, options: Part) => void
  /** Returns whether a function of the configuration is one of the template. */
  readonly isFunction: (name: string) => boolean
}
