# try.rb - run the formula, or its own test, without Homebrew
#
# usage: ruby try.rb install|test PREFIX BINDIR
#
# What the formula asks of Homebrew is done by the few lines below.  Each server that it
# wants is that of BINDIR.  "install" is to be run in the unpacked tarball; before "test"
# the caller puts the files of a server to where that looks, as "brew link" does.
require "pathname"
require "socket"
require "tmpdir"

WHAT, PREFIX, BINDIR = ARGV.map { |word| Pathname(word) }
abort "usage: ruby try.rb install|test PREFIX BINDIR" unless BINDIR

Dependency = Struct.new(:name) do
  def to_formula
    self
  end

  def opt_bin
    BINDIR
  end
end

class Formula
  class << self
    attr_reader :said, :wanted, :test_block

    %i[desc homepage url sha256 license].each do |name|
      define_method(name) { |text| (@said ||= {})[name] = text }
    end

    def depends_on(what)
      (@wanted ||= []).push(what.is_a?(Hash) ? what.keys.first : what)
    end

    def test(&block)
      @test_block = block
    end
  end

  attr_accessor :testpath

  def prefix
    PREFIX
  end

  %w[bin lib share].each { |name| define_method(name) { prefix/name } }

  def deps
    self.class.wanted.map { |name| Dependency.new(name) }
  end

  def system(*words)
    Kernel.system(*words.map(&:to_s), out: File::NULL) || raise("#{words.join(" ")}: #{$?}")
  end

  def shell_output(command)
    `#{command}`
  end

  def assert_equal(expected, got)
    raise "#{got.inspect} instead of #{expected.inspect}" unless expected == got
  end

  def free_port
    TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
  end
end

load File.join(__dir__, "ribbon.rb")
abort "it does not say what it is" unless Ribbon.said.size == 5
formula = Ribbon.new
if WHAT.to_s == "install"
  formula.install
else
  Dir.mktmpdir do |place|
    formula.testpath = Pathname(place)
    Dir.chdir(place) { formula.instance_exec(&Ribbon.test_block) }
  end
end
