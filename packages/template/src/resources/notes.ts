/** What a user should know about a template: what does not run here, and what that means. */
export interface Note {
  /** `missing` when a part of the program may not work because of it, `ignored` when it has no meaning here. */
  readonly kind: 'missing' | 'ignored'
  readonly text: string
}

/** Collects notes, each once. */
export interface Notes {
  readonly missing: (text: string) => void
  /** Notes a setting without a meaning here, by the type of its resource. */
  readonly ignored: (type: string, what: string) => void
  /** Returns the notes, those about missing parts first. */
  readonly all: () => readonly Note[]
}

export function collectNotes(): Notes {
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
