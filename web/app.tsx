/** The frame of all pages: where to go, which theme, and the page that the address names. */
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { pages, startPage } from './pages.ts';
import { route } from './route.ts';
import { type Theme, theme, themes } from './theme.ts';
import { Announcer } from './ui/announce.tsx';
import { Empty, Segments } from './ui/parts.tsx';

export function App() {
  const name = route.value.path[0] ?? startPage;
  const page = pages.find(one => one.name === name);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = page ? `${page.title} · neardup` : 'neardup';
    // A new page is read from its start; the first one was not asked for by a link.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [page]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header class="bar">
        <div class="masthead">
          <a class="name" href={`#/${startPage}`}>
            neardup
          </a>
          <nav aria-label="Pages">
            <ul>
              {pages.map(one => (
                <li key={one.name}>
                  <a href={`#/${one.name}`} aria-current={one === page ? 'page' : undefined}>
                    {one.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <Segments<Theme>
            label="Theme"
            hideLabel
            value={theme.value}
            choices={themes.map(value => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
            onChange={value => {
              theme.value = value;
            }}
          />
        </div>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Guard key={name}>
          {page ? (
            <page.Page />
          ) : (
            <Empty>
              <p>There is no page of this name.</p>
              <p>
                <a href={`#/${startPage}`}>Go to the start</a>
              </p>
            </Empty>
          )}
        </Guard>
      </main>
      <Announcer />
    </>
  );
}

/** What a page could not show costs this page, not the others. */
class Guard extends Component<{ children?: ComponentChildren }, { error?: string }> {
  override state: { error?: string } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Empty>
        <p class="error">This page met an error: {this.state.error}</p>
        <button type="button" onClick={() => this.setState({ error: undefined as never })}>
          Show it again
        </button>
      </Empty>
    );
  }
}
