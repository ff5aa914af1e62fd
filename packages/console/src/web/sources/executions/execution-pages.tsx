import type { SourcePages } from '../source-pages.ts'
import { ExecutionPage } from './execution-page.tsx'
import { ExecutionsPage } from './executions-page.tsx'

/** The pages of the executions of durable functions. */
export const executionPages: SourcePages = {
  pages: {
    executions: {
      '/': () => <ExecutionsPage />,
      '/*': id => <ExecutionPage key={id} id={id} />,
    },
  },
}
