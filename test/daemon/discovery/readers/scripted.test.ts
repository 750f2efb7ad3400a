import { describe, expect, test } from 'vitest';
import { shortFacts } from '../readRepository.ts';

describe('Ruby', () => {
  test('a Gemfile has the commands of Bundler, and RSpec where there are specs', () => {
    const text = "source 'https://rubygems.org'\ngemspec\ngem 'rspec'\ngem 'rubocop', require: false\n";
    expect(shortFacts({ Gemfile: text, 'Gemfile.lock': '', 'spec/thing_spec.rb': '' })).toEqual([
      '2 package-manager .: bundle --version (Gemfile:1)',
      '2 install .: bundle install (Gemfile:1)',
      '2 test .: bundle exec rspec (Gemfile:3)',
      '2 lint .: bundle exec rubocop (Gemfile:4)',
    ]);
  });

  test('a Rakefile has tasks and classes of tasks', () => {
    const text = `require 'rake/testtask'
Rake::TestTask.new do |t|
end
RSpec::Core::RakeTask.new(:unit_specs)
task :lint do
end
task deploy: :test
desc 'x'
task("bench")
namespace :db do
  task :test
end
`;
    expect(shortFacts({ Rakefile: text, Gemfile: '' }).filter((each) => each.includes('Rakefile'))).toEqual([
      '3 test .: bundle exec rake test (Rakefile:2)',
      '3 test .: bundle exec rake unit_specs (Rakefile:4)',
      '3 lint .: bundle exec rake lint (Rakefile:5)',
      '3 bench .: bundle exec rake bench (Rakefile:9)',
    ]);
    expect(shortFacts({ Rakefile: text })[0]).toBe('3 test .: rake test (Rakefile:2)');
  });
});

describe('PHP', () => {
  test('scripts of composer.json, but not those of its events', () => {
    const manifest = {
      name: 'acme/shop',
      scripts: { test: 'phpunit', lint: ['phpcs', 'phpstan'], 'post-install-cmd': 'x', build: 'echo done' },
    };
    expect(shortFacts({ 'composer.json': JSON.stringify(manifest, null, 1), 'composer.lock': '' })).toEqual([
      '2 package-manager .: composer --version (composer.json:2)',
      '2 install .: composer install --no-interaction (composer.json:2)',
      '2 test .: composer run-script test (composer.json:4)',
      '2 lint .: composer run-script lint (composer.json:5)',
      '5 build .: composer run-script build (composer.json:10)',
    ]);
  });

  test('PHPUnit where the package depends on it and has a suite', () => {
    const text = '{\n"require-dev": {\n"phpunit/phpunit": "^11" } }';
    expect(shortFacts({ 'composer.json': text, 'phpunit.xml.dist': '' }).at(-1)).toBe(
      '3 test .: vendor/bin/phpunit (composer.json:3)',
    );
    expect(shortFacts({ 'composer.json': text }).join()).not.toContain('phpunit');
  });
});
