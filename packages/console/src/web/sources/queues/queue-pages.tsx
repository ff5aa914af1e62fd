import type { SourcePages } from '../source-pages.ts'
import { QueuePage } from './queue-page.tsx'
import { QueuesPage } from './queues-page.tsx'

/** The pages of queues. */
export const queuePages: SourcePages = {
  pages: {
    queues: {
      '/': () => <QueuesPage />,
      '/*': name => <QueuePage key={name} name={name} />,
    },
  },
}
