/** What a template can refer to: the value of `Ref`, and those of `Fn::GetAtt` by name. */
export interface ResourceValues {
  readonly ref?: string
  readonly attributes: { readonly [name: string]: string }
}

/** What the values of a template depend on. */
export interface Scope {
  /**
   * Returns the value of a parameter or a pseudo parameter, or undefined for another name.
   * @throws NotHere for a parameter that has its value from the cloud
   */
  readonly parameter: (name: string) => unknown
  /**
   * Returns the values of a resource, or undefined for an unknown name.
   * @throws NotHere for a resource that the platform does not have, and for one whose condition is false
   */
  readonly resource: (logicalId: string) => ResourceValues | undefined
  /**
   * Returns whether a condition holds, or undefined for an unknown name.
   * @throws NotHere for one that depends on a value of the cloud
   */
  readonly condition: (name: string) => boolean | undefined
  readonly mappings: unknown
  /**
   * Counts the characters of a text that a function makes.
   * @throws TemplateError when all texts together are too long
   */
  readonly count: (characters: number) => void
}
