/** What a user should know about a template: what does not run here, and what that means. */
export interface Warning {
  /** `missing` when a part of the program may not work because of it, `ignored` when it has no meaning here. */
  readonly kind: 'missing' | 'ignored'
  readonly text: string
}

/** Collects warnings, each once. */
export interface Warnings {
  /** Adds what does not run here, as a sentence. */
  readonly missing: (text: string) => void
  /** Adds a setting without a meaning here, by the type of its resource. */
  readonly ignored: (type: string, what: string) => void
  /** Returns the warnings, those about missing parts first. */
  readonly all: () => readonly Warning[]
}

export function collectWarnings(): Warnings {
  const missing = new Set<string>()
  const ignored = new Map<string, Set<string>>()
  return {
    missing: text => void missing.add(text),
    ignored(type, what) {
      const known = ignored.get(type)
      if (known === undefined) ignored.set(type, new Set([what]))
      else known.add(what)
    },
    all: () => [
      ...[...missing].map(text => ({ kind: 'missing', text }) as const),
      ...[...ignored].map(
        ([type, what]) => ({ kind: 'ignored', text: `${type}: ${[...what].join(', ')}` }) as const,
      ),
    ],
  }
}
