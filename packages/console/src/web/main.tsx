import { render } from 'preact'
import { followLinks } from './address/address.ts'
import { App } from './app.tsx'
import './style/tokens.css'
import './style/base.css'
import './style/layout.css'
import './style/parts.css'
import './style/json.css'
import './style/plot.css'
import './style/pages.css'
import './theme.ts'

followLinks()
render(<App />, document.getElementById('app') as HTMLElement)
