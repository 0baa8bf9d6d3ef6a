import { render } from 'preact';
import { App } from './app.tsx';
import { findService } from './service/client.ts';
import './style/base.css';
import './style/controls.css';
import './style/charts.css';
import './style/try.css';
import './style/compare.css';
import './style/learn.css';
import './style/service.css';

render(<App />, document.getElementById('app')!);
void findService();
