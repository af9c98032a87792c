"""Builds the C++ core of the Python package with CMake. pyproject.toml has the rest.

Environment: NEUMANN_BUILD_DIR, a CMake build folder to use again; NEUMANN_TRAINING=ON builds the training of networks
into the command that comes with the package (needs LibTorch); JOBS, how many compilers run at a time.
"""

import os
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))
TRAINING = os.environ.get("NEUMANN_TRAINING", "OFF")


def is_fitting(folder):
    """Whether a build folder builds the module, for this interpreter, and training if that is wanted."""
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as file:
            cache = file.read()
    except OSError:
        return False
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    training = TRAINING != "ON" or "NEUMANN_TRAINING:BOOL=ON" in cache
    return "NEUMANN_PYTHON:BOOL=ON" in cache and version in cache and training


def build_folder():
    """One that is there already knows most of the core."""
    given = os.environ.get("NEUMANN_BUILD_DIR")
    usual = os.path.join(ROOT, "build")
    return given or (usual if is_fitting(usual) else os.path.join(ROOT, "build-python"))


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = build_folder()
        if not is_fitting(folder):
            configure = ["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DNEUMANN_PYTHON=ON"]
            configure += ["-DNEUMANN_TESTS=OFF", "-DNEUMANN_UNITY=ON", f"-DNEUMANN_TRAINING={TRAINING}"]
            configure += [f"-DPython_EXECUTABLE={sys.executable}"]
            if shutil.which("ninja"):
                configure += ["-G", "Ninja"]
            subprocess.run(configure, check=True)
        targets = ["neumann_python", "command" if TRAINING == "ON" else "neumann_command"]
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 2))
        subprocess.run(["cmake", "--build", folder, "-j", jobs, "--target", *targets], check=True)
        self.take(folder, self.get_ext_fullpath(extension.name))

    def take(self, folder, target):
        """What was built goes beside the package's own files."""
        package = os.path.dirname(target)
        os.makedirs(os.path.join(package, "bin"), exist_ok=True)
        shutil.copy2(os.path.join(folder, "python", "neumann", os.path.basename(target)), target)
        shutil.copy2(os.path.join(folder, "neumann"), os.path.join(package, "bin", "neumann"))
        weights = os.path.join(package, "share", "neumann", "weights")  # where the command looks for them
        shutil.copytree(os.path.join(ROOT, "weights"), weights, dirs_exist_ok=True)
        if TRAINING == "ON":
            shutil.copy2(os.path.join(folder, "libneumann_perception.so"), os.path.join(package, "bin"))


setup(ext_modules=[Extension("neumann._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
