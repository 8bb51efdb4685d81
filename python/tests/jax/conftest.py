"""What the tests of the JAX functions share. JAX reads the variable when it is imported."""

import os

# XLA compiles hundreds of small programs here, most of them to run once: its own code need not be fast, and ours is compiled already.
# Its newer way to compile fused operators takes twice the time for them.
QUICK = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true --xla_cpu_use_fusion_emitters=false"
os.environ["XLA_FLAGS"] = f"{QUICK} {os.environ.get('XLA_FLAGS', '')}".strip()
