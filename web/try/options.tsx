/** The settings of a run, kept in the address. */
import type { Params } from '../route.ts';
import { Slider } from '../ui/parts.tsx';
import type { TryOptions } from './types.ts';

const choices = {
  shingle: ['word:5', 'word:1', 'word:2', 'word:3', 'word:8', 'char:5', 'char:9'],
  measure: ['resemblance', 'containment'],
  keep: ['first', 'longest', 'shortest'],
} as const;

export function optionsOf(params: Params): TryOptions {
  const threshold = Number(params.threshold);
  return {
    threshold: threshold >= 0.1 && threshold <= 1 ? threshold : 0.8,
    shingle: chosen(choices.shingle, params.shingle),
    measure: chosen(choices.measure, params.measure),
    keep: chosen(choices.keep, params.keep),
    textField: params.textField || 'text',
    idField: params.idField || 'id',
  };
}

/** The first one unless another is asked for. */
function chosen<Choice extends string>(of: readonly Choice[], asked: string | undefined): Choice {
  return of.find(choice => choice === asked) ?? of[0]!;
}

export function OptionFields(props: {
  options: TryOptions;
  onChange(changed: Readonly<Record<string, string | undefined>>): void;
}) {
  const { options, onChange } = props;
  const choose = (name: keyof typeof choices, label: string) => (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        value={options[name]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ [name]: value === choices[name][0] ? undefined : value })
        }
      >
        {choices[name].map(value => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </div>
  );
  const field = (name: 'textField' | 'idField', label: string, usual: string) => (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        type="text"
        value={options[name]}
        size={10}
        onChange={({ currentTarget: { value } }) => onChange({ [name]: value === usual ? undefined : value })}
      />
    </div>
  );
  return (
    <details class="block settings" open>
      <summary>Settings</summary>
      <div class="fields">
        <Slider
          label="Threshold"
          value={options.threshold}
          min={0.1}
          max={1}
          step={0.01}
          onChange={value => onChange({ threshold: value === 0.8 ? undefined : String(value) })}
        />
        {choose('shingle', 'Shingle')}
        {choose('measure', 'Measure')}
        {choose('keep', 'Which one stays')}
        {field('textField', 'Field of the text', 'text')}
        {field('idField', 'Field of the id', 'id')}
      </div>
    </details>
  );
}
